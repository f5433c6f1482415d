import RunModel

extension WebhookStanding {
    /// The lines of the metrics about webhooks; none without any.
    static func lines(of standings: [WebhookStanding]) -> [String] {
        guard !standings.isEmpty else { return [] }
        return metric("waiting", "Messages of a webhook that wait to be sent.", standings, \.waiting)
            + metric("dead_letters", "Messages of a webhook that were given up.", standings, \.deadLetters)
            + metric("disabled", "Whether the receiver of a webhook wants no more messages.", standings) {
                $0.isDisabled ? 1 : 0
            }
    }

    private static func metric(
        _ name: String, _ help: String, _ standings: [WebhookStanding], _ value: (WebhookStanding) -> Int
    ) -> [String] {
        ["# HELP kanmon_webhook_\(name) \(help)", "# TYPE kanmon_webhook_\(name) gauge"]
            + standings.map { "kanmon_webhook_\(name){webhook=\"\($0.id.metricLabel)\"} \(value($0))" }
    }
}
