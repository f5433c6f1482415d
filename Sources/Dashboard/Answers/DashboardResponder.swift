import Access
import Evidence
import Foundation
import Gate
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1
import Pages
import RunModel
import Storage
import Web

/// Answers every request: it checks the request, makes one page or asset, and adds the headers.
struct DashboardResponder: HTTPResponder {
    /// The longest address that is read, in bytes.
    static let longestTarget = 8 << 10
    /// How many runs a page of the list has.
    static let pageSize = SheetPage.listLength

    let store: RunStore
    /// The runs in progress.
    let live: LiveRuns
    /// The commits of a branch of a project that have not passed; `nil` if no repository of the project is available.
    let branchAudit: BranchAudit
    /// How a run covers the lines that changed since another; `nil` if no repository has the files of both.
    let changedLines: LineComparison
    let webRoot: WebRoot
    let hosts: HostPolicy
    let now: @Sendable () -> Date
    /// The public address of the dashboard, if it differs from the one it listens on.
    let baseURL: BaseURL?
    /// Whether browsers reach it by https.
    let isEncrypted: Bool
    /// How links are written.
    let links: Links
    /// Limits for pages that follow runs in progress, and their current readers.
    let limits: LiveLimits
    let streams: StreamLimiter
    /// Where machines are answered: their files are hashed and flushed there.
    private let calls = WorkThreads("kanmon.calls", 4)
    /// Answers `/healthz` and everything else that is open to everybody, without waiting for other requests.
    private let quick = WorkThreads("kanmon.quick", 1)
    /// Where pages and data are made.
    let pages = PageThreads("kanmon.pages")
    /// Makes what is requested with the key in an address, such as badges. Anybody who knows the address can request
    /// it, so it has a thread of its own and delays no reader.
    let keyed = PageThreads("kanmon.keyed", most: 1, mostOfOne: 1)
    let kept = AnswerCache()
    /// Renders whole runs as data, compares runs and judges them again: one at a time for a reader, because the largest takes a hundred
    /// MiB, and one more, so that nobody waits for what somebody else has requested.
    let reports = PageThreads("kanmon.reports", most: 2, mostOfOne: 1)
    /// Makes what is shown of runs with very many tests, one at a time: each takes up to 150 MiB.
    let largeRuns = PageThreads("kanmon.large", most: 1, mostOfOne: 1)
    /// Where machines that ask for verdicts are answered: the manifest of a run may have megabytes.
    let questions = PageThreads("kanmon.questions")
    /// Where files of runs are fetched that are elsewhere.
    let fetches = PageThreads("kanmon.fetches")
    /// Where they are; `nil` where all are in their run directories.
    let evidenceSource: EvidenceSource?
    /// How much of pages and data may wait to be read.
    let memory: BodyMemory
    /// What lists of deliveries take while they arrive and are taken in.
    let lists = BodyMemory(most: 128 << 20)
    /// Logs every request and its answer, if set.
    private let access: (@Sendable (AccessEntry) -> Void)?
    /// Checks credentials; `nil` where anyone may read, and nobody deliver.
    let control: AccessControl?
    /// Where deliveries are taken in; `nil` where none are.
    let deliveries: DeliveryService?
    /// What verdicts are signed with; `nil` where none are given to other machines.
    let key: ServerKey?
    let counts = DeliveryCounts()
    /// What is remembered of the machines that deliver.
    let ledger: MachineLedger
    /// Whom somebody else tells what happens; they are only shown here.
    let webhooks: WebhookFolder?
    let pending = PendingFiles()
    let quota = DeliveryQuota()
    /// How many bytes a token of scope `submit` may deliver in a day.
    let dailyBytes: Int
    let runLimit = DeliveryLimit(most: 60, seconds: 60)
    /// Who reads.
    var reader = Reader.anyone
    let embedded: PageRenderer
    /// Makes the tags of this server process differ from those of another.
    let seed = UInt64.random(in: 0 ... .max)

    /// Reads all templates once, so that a fault in the web folder is found at the start.
    init(
        store: RunStore,
        progressFiles: ProgressFiles?,
        audit: @escaping BranchAudit,
        changedLines: @escaping LineComparison = { _, _, _ in nil },
        configuration: DashboardConfiguration,
        control: AccessControl? = nil,
        deliveries: DeliveryService? = nil,
        key: ServerKey? = nil,
        ledger: MachineLedger = MachineLedger(path: nil),
        webhooks: WebhookFolder? = nil,
        evidence: EvidenceSource? = nil,
        now: @escaping @Sendable () -> Date,
        access: (@Sendable (AccessEntry) -> Void)? = nil
    ) throws(PageError) {
        evidenceSource = evidence
        self.control = control
        self.deliveries = deliveries
        self.key = key
        self.ledger = ledger
        self.webhooks = webhooks
        self.store = store
        live = LiveRuns(progressFiles, name: { try deliveries?.currentName(of: $0) ?? $0 }, now: now)
        branchAudit = audit
        self.changedLines = changedLines
        self.now = now
        self.access = access
        webRoot = configuration.webRoot
        hosts = HostPolicy(configuration)
        baseURL = configuration.baseURL
        isEncrypted = configuration.isEncrypted
        limits = configuration.live
        memory = BodyMemory(most: configuration.answerMemory, countsLargeApart: true)
        dailyBytes = configuration.dailyBytes
        streams = StreamLimiter(configuration.live.clients)
        links = Links(under: configuration.baseURL?.path ?? "")
        embedded = try PageRenderer(configuration.webRoot)
    }

    func respond(to request: Request, context: DashboardContext) async -> Response {
        let context = context.known(to: control?.proxy, request.headers)
        guard let access else { return await answer(to: request, context) }
        let beginning = now()
        let response = await answer(to: request, context)
        access(AccessEntry(request.head, response, from: beginning, to: now()))
        return response
    }

    private func answer(to request: Request, _ context: DashboardContext) async -> Response {
        do {
            return try await response(to: request, context)
        } catch let refusal as Refusal {
            return refuse(refusal, request.head, context)
        } catch let error as EvidenceUnavailable {
            return refuse(.unavailable(error.reason), request.head, context)
        } catch is HTTPParserError {
            // Whoever breaks off a request is no fault of the server, and not for its log.
            return refuse(.malformed("it broke off"), request.head, context)
        } catch let error as StorageError where error.isGivenUp {
            // Nobody waits for it any more.
            return refuse(.malformed("it broke off"), request.head, context)
        } catch StorageError.unknownRun(_, _) {
            // It was removed while it was read.
            return refuse(.notFound, request.head, context)
        } catch {
            // The text of the error may contain paths and untrusted data: it goes to the log only, quoted.
            context.logger.error("a request failed", metadata: ["error": .string(String(reflecting: "\(error)"))])
            return refuse(.failure(incident: context.incident), request.head, context)
        }
    }

    private func response(to whole: Request, _ context: DashboardContext) async throws -> Response {
        let request = whole.head
        // A second `Host` stays among the other fields; such a request is ambiguous and refused.
        guard let authority = request.authority, !authority.isEmpty,
            !request.headerFields.contains(where: { $0.name.canonicalName == "host" })
        else {
            throw Refusal.malformed("it needs exactly one host")
        }
        guard hosts.allows(authority) else { throw Refusal.host(authority) }
        let target = request.path ?? ""
        guard target.utf8.count <= Self.longestTarget else { throw Refusal.tooLong }
        let path = path(of: target)
        if path.hasPrefix(DeliveryRoute.prefix) {
            return await calls.run { await deliveryAnswer(path, whole, context) }
        }
        if let answer = try await signInAnswer(path, whole, context) { return answer }
        guard request.method == .get || request.method == .head else { throw Refusal.method }
        guard !hasBody(request.headerFields) else { throw Refusal.body }
        let address: Address
        do {
            address = try self.address(of: target)
        } catch {
            switch error {
            case .notFound: throw Refusal.notFound
            case .malformed(let reason): throw Refusal.malformed(reason)
            }
        }
        let page = address.route.served
        guard page.rights != .open else {
            return try await quick.run { try await self.response(to: address, request, context) }
        }
        guard let control else { return try await made(address, request, context) }
        if let key = page.key, let project = control.project(openedBy: key) {
            return try await serving(Reader(keyOf: project)).made(address, request, context)
        }
        let reader = try reader(request, context)
        guard reader.isKnown else { return try await made(address, request, context) }
        let responder = serving(reader)
        var response = try await responder.made(address, request, context)
        // A cache must not show to one what another may see.
        response.headers[.vary] = "Authorization, Cookie"
        return response
    }

    /// The answer to a page or data that may take long, when it is the reader's turn.
    private func made(_ address: Address, _ request: HTTPRequest, _ context: DashboardContext) async throws -> Response
    {
        // Whoever has a key has shown it, and asks the store nothing for what was made a moment ago.
        if reader.isOfKey, let name = keptName(address, request), let answer = kept.find(name, of: nil, at: now()) {
            return try sent(answer, address, tag: nil, request, context)
        }
        let isLarge = try await prepare(address.route.served, asData: address.isData, context)
        let threads = reader.isOfKey ? keyed : address.route.served.isReport(asData: address.isData) ? reports : pages
        return try await RunStore.reading(until: context.isGone) {
            try await (isLarge ? largeRuns : threads).make(for: name(context)) {
                defer { if isLarge { MemoryPools.giveBack() } }
                // Rights are a question to the store, too.
                try admit(address.route.served.rights)
                return try await response(to: address, request, context)
            }
        }
    }

    /// Who reads, as far as turns and memory are shared among readers.
    func name(_ context: DashboardContext) -> String {
        reader.token?.name ?? context.user ?? context.peer
    }

    private func response(
        to address: Address, _ request: HTTPRequest, _ context: DashboardContext
    ) async throws -> Response {
        let (target, authority) = (request.path ?? "", request.authority ?? "")
        // Before the answer is made, so that it is never older than its tag.
        let tag = await tag(of: address, target, authority)
        if let tag, request.knows(tag) { return Answer.unchanged(tag, cacheControl: cacheControl(address)) }
        return try sent(try await found(address, request, context), address, tag: tag, request, context)
    }

    /// An answer that was made a moment ago, or is made now. Whether the reader may have it was asked before.
    private func found(
        _ address: Address, _ request: HTTPRequest, _ context: DashboardContext
    ) async throws -> Answer {
        guard let name = keptName(address, request) else { return try await fresh(address, request, context) }
        // Before the answer is made, so that it is never older than its moment and its version, however long that takes.
        let moment = now()
        let version = reader.isOfKey ? nil : try store.version()
        if let answer = kept.find(name, of: version, at: moment) { return answer }
        let answer = try await fresh(address, request, context)
        kept.keep(answer, as: name, of: version, at: moment)
        return answer
    }

    private func fresh(
        _ address: Address, _ request: HTTPRequest, _ context: DashboardContext
    ) async throws -> Answer {
        let page = address.route.served
        return address.isData
            ? try await page.data(self) : try await page.page(self, Visit(request: request, context: context))
    }

    /// An answer as it is sent, or 304 if the client has it.
    private func sent(
        _ answer: Answer, _ address: Address, tag: String?, _ request: HTTPRequest, _ context: DashboardContext
    ) throws -> Response {
        var answer = answer
        if answer.isKept {
            answer.cacheControl = cacheControl(address)
            if !reader.seesEverything {
                answer.tag = self.tag(of: answer)
            } else if address.route.served.isLasting(self) {
                answer.tag = tag
            }
            if let tag = answer.tag, request.knows(tag) || request.knowsAny {
                return Answer.unchanged(tag, cacheControl: answer.cacheControl)
            }
        }
        return try sized(answer, for: name(context)).response(withBody: request.method != .head)
    }

    /// An answer that is sent as it is read. A small one fits into the buffer of its connection.
    func sized(_ answer: Answer, for reader: String) throws -> Answer {
        guard answer.stream == nil, answer.body.count > BodyMemory.small else { return answer }
        guard let share = memory.take(answer.body.count, for: reader) else { throw Refusal.crowded }
        return answer.streamed(share)
    }

    private func hasBody(_ fields: HTTPFields) -> Bool {
        // Testing for a field is much faster than reading its value.
        fields.contains(.transferEncoding) || fields.contains(.contentLength) && fields[.contentLength] != "0"
    }

    /// The target of a request as an address of the dashboard.
    func address(of target: String) throws(RouteError) -> Address {
        try Address(target: baseURL?.target(target) ?? target)
    }

    /// The path of a target, without the public path of a proxy.
    private func path(of target: String) -> String {
        let path = target.prefix { $0 != "?" }
        return baseURL?.target(String(path)) ?? String(path)
    }

    func render(_ page: SheetPage) throws -> Answer { .page(try renderer().bytes(of: page)) }

    func render(_ page: some Page) throws -> Answer {
        .page(try renderer().bytes(of: page))
    }

    /// The templates as they are now: a folder is read again for every page.
    private func renderer() throws(PageError) -> PageRenderer {
        webRoot == .embedded ? embedded : try PageRenderer(webRoot)
    }

    private func refuse(_ refusal: Refusal, _ request: HTTPRequest, _ context: DashboardContext) -> Response {
        context.logger.debug("refused", metadata: ["status": .stringConvertible(refusal.status.code)])
        if case .signIn(let remark) = refusal, !Address.isOfData(request.path ?? "") {
            let page = SignInPage(to: landing(request.path), remark: remark, links: links)
            return signInPage(page, refusal.status, request)
        }
        if case .ambiguous(let start, let candidates) = refusal {
            return choices(start, candidates, request).response(withBody: request.method != .head)
        }
        // A refusal is rendered with the templates that were read at the start, which are known to be valid.
        var answer = Answer.refusal(embedded.bytes(of: refusal.page(links)), refusal.status)
        if Address.isOfData(request.path ?? "") {
            answer.contentType = "application/json; charset=utf-8"
            answer.body = Array("{\"error\":{\"status\":\(refusal.status.code)}}\n".utf8)
        }
        if refusal.status == .serviceUnavailable { answer.fields[.retryAfter] = "10" }
        if case .tooManyAttempts(let seconds) = refusal { answer.fields[.retryAfter] = String(seconds) }
        if case .signIn = refusal { answer.fields[.wwwAuthenticate] = "Bearer" }
        if refusal == .method { answer.fields[.allow] = "GET, HEAD" }
        // Nobody is at the screen to reload it.
        if let asked = try? address(of: request.path ?? ""), asked == Address(.wall) { answer.refresh() }
        return answer.response(withBody: request.method != .head)
    }
}
