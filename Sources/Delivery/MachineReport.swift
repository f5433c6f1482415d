import RunModel

/// What a machine says of itself with every call, so that its server can show who delivers. Nothing is decided by it.
public struct MachineReport: Sendable {
    /// The name of the machine; `nil` if it has none.
    public let host: String?
    /// The version of Kanmon.
    public let version: String
    /// The runs that wait here; `nil` to say nothing of them.
    private let outbox: Outbox?

    package init(host: String?, version: String, outbox: Outbox? = nil) {
        (self.host, self.version, self.outbox) = (host, version, outbox)
    }

    /// The fields of a call.
    ///
    /// - Parameter id: The run that the call offers: it does not count as one that waits, since it may be delivered now.
    func fields(about id: RunID?) -> [(String, String)] {
        var fields = [("User-Agent", "kanmon/\(version)")]
        // A field has ASCII only; a name that is no text of the network may hold anything.
        if let host, !host.isEmpty {
            fields.append(("Kanmon-Machine", PercentEncoding.encode(host, keepsSlashes: false)))
        }
        if let outbox { fields.append(("Kanmon-Waiting", String(outbox.count(without: id)))) }
        return fields
    }
}
