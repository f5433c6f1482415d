import RunModel

extension WebhookStanding {
    /// The lines of the metrics about webhooks; none without any.
    static func lines(of standings: [WebhookStanding]) -> [String] {
        guard !standings.isEmpty else { return [] }
        func text(_ metric: Metric, _ value: (WebhookStanding) -> Int) -> [String] {
            metric.text(standings.map { Metric.Sample(value($0), ["webhook": $0.id]) })
        }
        return text(.webhookWaiting, \.waiting) + text(.webhookDeadLetters, \.deadLetters)
            + text(.webhookDisabled) { $0.isDisabled ? 1 : 0 }
    }
}
