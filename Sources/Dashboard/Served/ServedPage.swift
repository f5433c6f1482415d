import Access
import HTTPTypes
import RunModel

/// An address of the dashboard with everything that the server has to know of it: whose right it needs, what it answers, how that may
/// be kept, and how its data are described.
///
/// A page that does not say whose right it needs does not compile, and nothing that has a default here opens a page to anybody or has
/// something old taken for it.
protocol ServedPage: Sendable {
    /// Whose right to read it needs.
    var rights: PageRights { get }
    /// What a browser is answered.
    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer
    /// The same as data, by the address with `.json`; a page without data is not found there.
    func data(_ server: DashboardResponder) async throws -> Answer
    /// How the OpenAPI document describes its data; empty where it has none.
    static var description: [DataDescription] { get }

    /// The key in the address that opens it without a sign-in; `nil` where there is none.
    var key: AddressKey? { get }
    /// Whether it depends on nothing but the program, so that it changes only with that.
    var isFixed: Bool { get }
    /// Whether it is the same for everybody who may see it, so that a cache on the way may keep it.
    var isShared: Bool { get }
    /// Whether the answer is kept for a moment for those who need no credential, and by what it is found again.
    var caching: CachePolicy { get }
    /// Whether the answer, or its data, has whole runs in it, or judges one: those are made one at a time for a reader.
    func isReport(asData: Bool) -> Bool
    /// The runs whose files it reads, besides their manifests: they are fetched first where they are elsewhere.
    func evidence(asData: Bool) -> [RunID]
    /// Whether it stays as it is until the store changes: it depends neither on runs in progress, nor on git, nor on who called. Only such a
    /// page may be told unchanged.
    func isLasting(_ server: DashboardResponder) -> Bool
}

extension ServedPage {
    func data(_ server: DashboardResponder) async throws -> Answer { throw Refusal.notFound }
    static var description: [DataDescription] { [] }
    var key: AddressKey? { nil }
    var isFixed: Bool { false }
    var isShared: Bool { false }
    var caching: CachePolicy { .never }
    func isReport(asData: Bool) -> Bool { false }
    func evidence(asData: Bool) -> [RunID] { [] }
    func isLasting(_ server: DashboardResponder) -> Bool { false }
}

/// A page that shows nothing but what is in the store, in the sources that runs have kept, or in the program itself.
protocol LastingPage: ServedPage {}

extension LastingPage {
    func isLasting(_ server: DashboardResponder) -> Bool { true }
}

/// A request, and who asks.
struct Visit: Sendable {
    let request: HTTPRequest
    let context: DashboardContext
}

/// Whose right to read a page needs.
enum PageRights: Sendable, Hashable {
    /// Nobody's: it is the same for everybody, signed in or not.
    case open
    /// Any reader's: it shows each reader what that one may see.
    case anyReader
    /// A reader's of a project.
    case project(String)
    /// A reader's of the projects of these runs.
    case runs([RunID])
    /// A reader's of a project, and of those of these runs.
    case projectAndRuns(String, [RunID])

    /// The project that the page names.
    var project: String? {
        switch self {
        case .project(let name), .projectAndRuns(let name, _): name
        case .open, .anyReader, .runs: nil
        }
    }

    /// The runs that the page names.
    var runs: [RunID] {
        switch self {
        case .runs(let runs), .projectAndRuns(_, let runs): runs
        case .open, .anyReader, .project: []
        }
    }
}

/// By what an answer is found again that is kept for a moment: all that it depends on besides the store.
enum CachePolicy: Sendable {
    /// It is not kept.
    case never
    /// By its address, with all values in it.
    case byAddress
    /// By its address and that of the dashboard, because the page names the latter.
    case byAddressAndRoot
}

/// A key in an address that opens it.
struct AddressKey: Sendable {
    let key: String
    let purpose: AddressKeys.Purpose
    let project: String
}
