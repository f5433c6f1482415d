import Access
import Application
import ArgumentParser
import Delivery
import Evidence
import Exports
import Foundation
import Gate
import RunModel

/// `kanmon push`: deliver what waits.
struct PushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Deliver the runs that wait to the server, the oldest first.",
        discussion: """
            Runs that the server refused before are offered once more. The exit status is 0 if nothing waits any more, \
            else 74.

            With a place of objects, a run of this machine is put into the inbox there instead. Servers that use \
            these objects take it in as a run that nobody vouches for. Credentials that can only put below the inbox \
            are enough.
            """)

    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp(
            "Deliver to this server; default: KANMON_SERVER, else that of 'kanmon login'.", valueName: "url"))
    var server: String?

    @Flag(help: "Deliver all runs whose run directories are kept; those that the server already has do not change.")
    var all = false

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The name to use in the inbox; the credentials are for that name only. Required with a place of objects.",
            valueName: "name"))
    var inboxName: String?

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp(
            "Which run is put into the inbox: its id, the beginning or the end of it; default: the one that began last.",
            valueName: "run"))
    var runName: String?

    @Flag(help: "Deliver runs of working copies, too.")
    var deliverWorkingCopies = false

    @Option(
        help: ArgumentHelp(
            "Deliver nothing, and forget a run that waits: its id or the end of it; 'refused' for all that the server refused. May be repeated. The runs themselves stay.",
            valueName: "run"))
    var forget: [String] = []

    @Option(
        help: ArgumentHelp(
            "How long to try while nothing can be delivered; default: 60s.", valueName: "time"),
        transform: TimeLimitArgument.read)
    var deliveryTimeout = Duration.seconds(60)

    @Argument(help: "The place of the objects: s3://BUCKET/PREFIX, or folder:///PATH.") var url: String?

    func validate() throws {
        guard url != nil else {
            guard inboxName == nil, runName == nil else {
                throw ValidationError("--as and --run go with a place of objects, such as s3://BUCKET/PREFIX")
            }
            return
        }
        guard server == nil, forget.isEmpty else {
            throw ValidationError("--server and --forget do not go with a place of objects")
        }
        guard !all || runName == nil else { throw ValidationError("--all and --run exclude each other") }
        guard inboxName.map({ AccessToken.isName($0) }) == true else {
            throw ValidationError(
                "--as names the inbox: 1 to 64 letters, digits, '.', '_', '@' and '-', the first a letter or digit")
        }
    }

    func run() async throws {
        let process = ProcessContext.current
        if let url, let inboxName { return try await put(into: ObjectPlace(url), as: inboxName, process) }
        if !forget.isEmpty { return try forgetRuns(in: Outbox(folder: store.home(process).outbox)) }
        var delivery = RunDelivery(process: process, home: store.home(process), server: server)
        let target: DeliveryTarget
        switch delivery.place {
        case .none:
            throw Problem(
                .usage, "there is no server to deliver to",
                hint: "kanmon login URL, or set KANMON_SERVER and KANMON_TOKEN")
        case .unusable(let problem): throw problem
        case .server(let found): target = found
        }
        if deliverWorkingCopies { delivery.includesWorkingCopies = true }
        delivery.timeout = deliveryTimeout
        delivery.retries = true
        if all { try recordAll(delivery) }
        let line = UpdatedLine(process)
        let report = await delivery.send(to: target, retriesRefused: true, hasNoLimit: true) { line.show($0.words) }
        line.clear()
        try tell(report, target)
    }

    /// Puts runs into the inbox of a store of objects.
    private func put(into place: ObjectPlace, as name: String, _ process: ProcessContext) async throws {
        let push = InboxPush(store.home(process), includesWorkingCopies: deliverWorkingCopies)
        let directories = try all ? push.all() : [push.run(runName ?? "latest")]
        let patience = deliveryTimeout
        let line = UpdatedLine(process)
        try await place.with(process) { objects in
            for (number, directory) in directories.enumerated() {
                line.show("delivering: run \(number + 1) of \(directories.count)")
                let put = try await push.put(directory, into: objects, as: name, patience: patience)
                line.clear()
                StandardStreams.print(
                    "put run \(put.run.short) into the inbox of \(place): \(Figures.counted(put.files, "file")), "
                        + "\(Figures.grouped(put.bytes)) bytes")
            }
        }
    }

    /// Takes runs out of the outbox that nobody will ever take.
    private func forgetRuns(in outbox: Outbox) throws {
        var forgotten: [Outbox.Entry] = []
        for name in forget {
            let found = outbox.entries.filter { entry in
                name == "refused" ? entry.refusal != nil : entry.id.description == name || entry.id.short == name
            }
            guard !found.isEmpty || name == "refused" else {
                throw Problem(.usage, "no run '\(name)' waits for its delivery", hint: "kanmon doctor says what waits")
            }
            for entry in found { outbox.remove(entry.id) }
            forgotten += found
        }
        for entry in forgotten {
            let reason = entry.refusal.map { ", which the server refused: \($0)" } ?? ""
            StandardStreams.print("forgot run \(entry.id.short)" + TerminalText.safe(reason))
        }
        StandardStreams.print("forgot \(Figures.counted(forgotten.count, "run"))")
    }

    /// Records every run of the home for delivery.
    private func recordAll(_ delivery: RunDelivery) throws {
        for directory in try RunArchive(home: delivery.home).directories() { _ = delivery.record(directory) }
    }

    private func tell(_ report: OutboxSender.Report, _ target: DeliveryTarget) throws {
        let files = report.delivered.reduce(0) { $0 + $1.sentFiles }
        let bytes = report.delivered.reduce(0) { $0 + $1.sentBytes }
        let known = report.delivered.count(where: \.isKnown)
        let count = Figures.counted(report.delivered.count, "run")
        StandardStreams.print(
            "delivered \(count) to \(target.address): \(Figures.counted(files, "file")), \(Figures.grouped(bytes)) bytes"
                + (known > 0 ? "; it knew \(Figures.grouped(known)) of them" : ""))
        var rest = report
        rest.forgetDelivered()
        let words = DeliveryWords(rest, to: target.address, own: [])
        for line in words.lines { StandardStreams.tell("kanmon: \(line)") }
        if let hint = words.hint { StandardStreams.tell("Try: \(hint)") }
        if report.waiting > 0 || !report.refused.isEmpty { throw ExitStatus.ioError }
    }
}

extension OutboxSender.Progress {
    /// A line for whoever waits.
    fileprivate var words: String {
        switch self {
        case .offering(let id, let number, let count): "delivering: run \(id.short), \(number) of \(count)"
        case .sent(let bytes, let all): "delivering: \(Figures.grouped(bytes)) of \(Figures.grouped(all)) bytes"
        }
    }
}
