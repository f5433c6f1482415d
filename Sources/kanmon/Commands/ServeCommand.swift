import Access
import Application
import ArgumentParser
import Dashboard
import Delivery
import Evidence
import Foundation
import Gate
import Logging
import Pages
import RunModel
import Storage
import Synchronization
import Web

/// `kanmon serve`: the dashboard.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the dashboard: runs, verdicts, failures, sources with their missed lines.",
        discussion: """
            It stores waiting runs. By default only this machine can reach it, and anyone here can read. As soon as \
            there are tokens ('kanmon token create'), every reader needs one, and machines can deliver their runs. \
            INT or TERM ends it.
            """
    )

    @OptionGroup var store: StoreOptions

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 is any free port.")
    var port = 8720

    @Option(help: ArgumentHelp("Listen on a socket in the file system instead.", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "A host name that requests may use besides those of this machine, such as a proxy's; may be repeated.",
            valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "The public address behind a proxy, such as https://ci.example/kanmon/; all links use it.",
            valueName: "url"))
    var baseURL: String?

    @OptionGroup var connections: ServeConnectionOptions

    @Flag(help: "Let anyone who reaches the address read every run with its sources, whether there are tokens or not.")
    var anyoneMayRead = false

    @Flag(
        help: "Log every request on standard error: time, method, path without query, status, bytes, milliseconds.")
    var accessLog = false

    @Option(
        help: ArgumentHelp(
            "The most memory for answers that clients have not read yet; one reader gets at most a quarter of it.",
            valueName: "MiB"))
    var answerMemory = 64

    @Option(
        help: ArgumentHelp(
            "How much a token of scope 'submit' may deliver in a day; one of scope 'attest' sixteen times as much.",
            valueName: "GiB"))
    var dailyQuota = 8

    @Option(
        help: ArgumentHelp(
            "How much of the disk must be free to take deliveries; while less is free, they wait on their machines.",
            valueName: "percent"))
    var leastFree = 5

    @Option(
        help: ArgumentHelp(
            """
            Keep the files of each delivered run here, too, before it is taken: s3://BUCKET/PREFIX, or folder:///PATH. \
            While they cannot be kept, deliveries wait on their machines.
            """, valueName: "url"))
    var objects: String?

    @Option(
        help: ArgumentHelp(
            """
            The most disk space for files of runs that were dropped here and fetched back from the objects for a page; \
            the least recently used are removed first.
            """, valueName: "GiB"))
    var fetchCache = RunFetcher.room >> 30

    @Option(
        help: ArgumentHelp("Read templates and styles from this folder instead of the built-in ones.", valueName: "dir")
    )
    var webRoot: String?

    @Option(
        help: ArgumentHelp(
            "Measure the cost of every SQL statement, and write it to this file at the end.", visibility: .hidden))
    var statements: String?

    /// A server needs neither Swift nor a package.
    private static let remedy =
        "kanmon token create NAME --scope attest --project '*', for runs that other machines deliver; or kanmon run, here"

    private static let openWarning = """
        kanmon: warning: whoever reaches that address can read every run with its sources. --allow-host allows \
        further host names
        """
    private static let plainWarning = """
        kanmon: warning: tokens travel to that address unencrypted. Serve https with --tls-certificate, or put a \
        proxy with TLS in front and name its address with --base-url https://… --allow-host allows further host names
        """

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is between 0 and 65535") }
        guard (1...65_536).contains(answerMemory) else {
            throw ValidationError("--answer-memory is between 1 and 65536 MiB")
        }
        guard (1...1_048_576).contains(dailyQuota) else {
            throw ValidationError("--daily-quota is between 1 and 1048576 GiB")
        }
        guard (1...1_048_576).contains(fetchCache) else {
            throw ValidationError("--fetch-cache is between 1 and 1048576 GiB")
        }
        guard (0...100).contains(leastFree) else { throw ValidationError("--least-free is between 0 and 100") }
        guard baseURL.map({ BaseURL($0) != nil }) ?? true else {
            throw ValidationError("--base-url takes an address such as https://ci.example/kanmon/")
        }
    }

    func run() async throws {
        MemoryPools.limit()
        let process = ProcessContext.current
        guard let objects else { return try await serve(process, nil) }
        let place = try ObjectPlace(objects)
        try await place.with(process) { objects in
            var isAway = false
            do {
                try await objects.tryOut()
            } catch {
                guard error.mayPassBehindStart, let problem = Problem(explaining: error) else { throw error }
                isAway = true
                let hint = problem.hint.map { "\nTry: \($0)" } ?? ""
                StandardStreams.tell("kanmon: warning: no delivery is taken yet: \(problem.reason)\(hint)")
            }
            StandardStreams.tell("kanmon: what is delivered is kept in \(place), too")
            try await serve(process, objects, isAway: isAway)
        }
    }

    /// Serves.
    ///
    /// - Parameter isAway: Whether the store of the objects did not answer.
    private func serve(_ process: ProcessContext, _ objects: RunObjects?, isAway: Bool = false) async throws {
        let address: DashboardConfiguration.Address =
            socket.map { .unixSocket(path: process.absolute($0)) } ?? .tcp(host: host, port: port)
        let configuration = DashboardConfiguration(
            address: address, hostNames: allowHost,
            webRoot: webRoot.map { .folder(process.absolute($0)) } ?? .embedded,
            baseURL: baseURL.flatMap { BaseURL($0) }, tls: connections.tls(process),
            answerMemory: answerMemory << 20, dailyBytes: dailyQuota << 30
        )
        let proxy = connections.proxy
        let home = self.store.home(process)
        if home.isThere { home.prepare() }
        let lock = try ServerLock(home)
        defer { withExtendedLifetime(lock) {} }
        let tokens = TokenFile(path: home.tokens)
        let hasTokens = try !tokens.tokens().isEmpty
        try refuseOpenAddress(address, hasEntrance: hasTokens || proxy?.signsIn == true)
        if hasTokens { try home.refuseWriters() }
        if !home.hasStore, hasTokens || !Spool(home).waiting().isEmpty { try makeStore(home, process) }
        let key = ServerKey(path: home.serverKey)
        // One that cannot be used is told of now, and not to the first machine that asks.
        if FileManager.default.fileExists(atPath: home.serverKey) { _ = try key.verifyingKey() }
        let trace = statements == nil ? nil : StatementTrace()
        let store = try StoredRuns(home, process: process).open(trace: trace, orTry: Self.remedy)
        let audits = BranchAudits(store, process: process)
        let differences = RunDifferences(store, process: process)
        let machines = MachineLedger(path: home.machines)
        defer { machines.save() }
        let access: (@Sendable (AccessEntry) -> Void)? =
            if accessLog { { entry in StandardStreams.tell("kanmon: \(entry)") } } else { nil }
        let intake = DeliveryIntake(
            checkpoint: Checkpoint(process: process, home: home), blobs: BlobStore(path: home.blobs),
            objects: objects)
        let follower = objects.map { RunFollower($0, intake, isAway: isAway) { process.now } }
        let deliveries = self.deliveries(intake, follower)
        let webhooks = WebhookFolder(path: home.webhooks)
        let base = configuration.baseURL
        let sender = WebhookSender(
            WebhookLedger(
                folder: webhooks,
                news: WebhookNews(store: store, root: base?.root, links: Links(under: base?.path ?? ""))),
            proxies: ProxySettings(process.environment)
        ) { process.now }
        let server = try DashboardServer(
            store: store, progressFiles: ProgressFiles(path: home.progressFiles) { process.now },
            audit: { try await audits.audit(project: $0, branch: $1) },
            changedLines: { try await differences.status(of: $1, since: $0, project: $2) },
            configuration: configuration,
            control: AccessControl(
                tokens: TokenRegistry(tokens),
                reading: anyoneMayRead ? .always : address.isLocal && proxy?.signsIn != true ? .untilTokens : .never,
                proxy: proxy, keys: hasTokens || proxy?.signsIn == true ? try AddressKeys(path: home.badgeSecret) : nil),
            deliveries: deliveries,
            key: key, ledger: machines, webhooks: webhooks,
            evidence: RunFetcher(home, from: objects, room: fetchCache << 30) { process.now }.source,
            now: { process.now }, access: access,
            logger: .dashboard(label: "kanmon.serve"))
        let share = Double(leastFree) / 100
        let (anyone, isPlain) = (anyoneMayRead, hasTokens && !configuration.isEncrypted)
        let inboxLimits = InboxReader.Limits(dailyBytes: dailyQuota << 30, leastFree: share)
        let waiting = Mutex<[Task<Void, Never>]>([])
        defer { waiting.withLock { for task in $0 { task.cancel() } } }
        try await server.run { address in
            StandardStreams.tell("kanmon: serving on \(configuration.link(to: address))")
            // Behind the start: however long they take, the server answers.
            waiting.withLock { tasks in
                tasks = [
                    Task { await Self.tellGap(in: home, now: process.now) },
                    Task { await intake.takeWaiting { try await deliveries.work(of: $0, in: $1, $2) } },
                    Task { await sender.run() },
                ]
                guard let objects, let follower else { return }
                tasks.append(Task { await follower.run { try await deliveries.work(of: $0, in: $1, $2) } })
                let keeper = SnapshotKeeper(
                    objects, of: home, leastFree: share, isIdle: { deliveries.isIdle }, now: { process.now })
                tasks.append(Task { await keeper.run() })
                let inbox = InboxReader(objects, intake, inboxLimits) { process.now }
                tasks.append(Task { await inbox.run { try await deliveries.work(of: $0, in: $1, $2) } })
            }
            guard !address.isLocal else { return }
            if anyone { StandardStreams.tell(Self.openWarning) }
            if isPlain { StandardStreams.tell(Self.plainWarning) }
        }
        guard let statements, let trace else { return }
        let costs = try StatementCost.all(of: trace, in: store)
        try JSONEncoder().encode(costs).write(to: URL(fileURLWithPath: process.absolute(statements)))
    }

    /// An address that other machines reach must not be open by accident.
    private func refuseOpenAddress(_ address: DashboardConfiguration.Address, hasEntrance: Bool) throws {
        guard !address.isLocal, !hasEntrance, !anyoneMayRead else { return }
        throw Problem(
            .usage, "other machines can reach \(address), and there is no token that lets anybody in",
            hint: "kanmon token create NAME --scope read --project '*', or --anyone-may-read")
    }

    /// A server for deliveries begins with an empty store; one that was lost is told of instead.
    private func makeStore(_ home: Home, _ process: ProcessContext) throws {
        guard try RunArchive(home: home).gap(of: nil, now: process.now) == nil else { return }
        _ = try RunStore(path: home.database)
    }

    /// Warns if the store lacks runs, or if that cannot be known.
    private static func tellGap(in home: Home, now: Date) async {
        do {
            guard let gap = try await RunArchive(home: home).gapAside(now: now) else { return }
            StandardStreams.tell("kanmon: warning: \(gap.reason)\nTry: \(gap.hint ?? "")")
        } catch {
            // The server ends.
            guard !Task.isCancelled else { return }
            let reason = Problem(explaining: error)?.reason ?? "\(error)"
            StandardStreams.tell(
                "kanmon: warning: it is not known whether the store lacks runs: \(reason)\nTry: kanmon db check")
        }
    }

    private func deliveries(_ intake: DeliveryIntake, _ follower: RunFollower?) -> DeliveryService {
        let distrust = Distrust(home: intake.checkpoint.home)
        let names = ProjectNames(intake.checkpoint.home)
        return DeliveryService(
            blobs: intake.blobs, leastFree: Double(leastFree) / 100, name: { try names.current($0) },
            followed: { follower?.followed }
        ) { id, delivery, sender in
            let receipt = try intake.take(id, delivery, from: sender)
            // It may have been on its way when the token was distrusted, and that looks only at what is here.
            try distrust.review(sender.record.token)
            return receipt
        }
    }
}

/// The cost of an SQL statement while the dashboard was served, and its query plan.
private struct StatementCost: Encodable {
    let sql: String
    let executions: Int
    /// Processor seconds of the longest execution.
    let longest: Double
    let total: Double
    let plan: [String]

    static func all(of trace: StatementTrace, in store: RunStore) throws -> [StatementCost] {
        try trace.figures.map { sql, figures in
            StatementCost(
                sql: sql, executions: figures.executions, longest: figures.longest / .seconds(1),
                total: figures.total / .seconds(1), plan: try store.plan(of: sql))
        }
    }
}
