import RunModel

extension WebhookStatus {
    /// The lines of the metrics about webhooks; none without any.
    static func lines(of statuses: [WebhookStatus]) -> [String] {
        guard !statuses.isEmpty else { return [] }
        func text(_ metric: Metric, _ value: (WebhookStatus) -> Int) -> [String] {
            metric.text(statuses.map { Metric.Sample(value($0), ["webhook": $0.id]) })
        }
        return text(.webhookWaiting, \.waiting) + text(.webhookDeadLetters, \.deadLetters)
            + text(.webhookDisabled) { $0.isDisabled ? 1 : 0 }
    }
}
