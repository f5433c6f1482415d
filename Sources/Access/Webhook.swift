public import Foundation
import RunModel

/// A receiver that is told what happens on the default branches of projects. Only the server's command line makes one: an address
/// that somebody else could name would let him send requests from the server.
public struct Webhook: Sendable, Hashable, Codable {
    /// What a receiver can be told.
    public enum Event: String, Sendable, Hashable, Codable, CaseIterable {
        /// Tests fail that did not.
        case broke
        /// Tests pass that failed.
        case fixed
        /// Tests are flaky that were not.
        case flaky
        /// Entries of the quarantine or waivers end soon.
        case expiring

        /// The `type` of its messages.
        public var type: String {
            switch self {
            case .broke: "tests.broke"
            case .fixed: "tests.fixed"
            case .flaky: "test.flaky"
            case .expiring: "exceptions.expiring"
            }
        }
    }

    /// How many webhooks there may be, because each is sent to on its own.
    public static let most = 32

    /// What it is called by: 12 hexadecimal digits.
    public let id: String
    /// Where messages go; it may hold a secret of the receiver.
    public let url: String
    /// The projects that it is told of.
    public let projects: [ProjectPattern]
    /// What it is told.
    public let events: [Event]
    /// What messages are signed with.
    public let secret: WebhookSecret
    /// When it was made.
    public let created: Date
    /// When the receiver answered 410, so that nothing is sent any more.
    public var disabled: Date?

    /// Makes a webhook from its parts.
    public init(
        id: String, url: String, projects: [ProjectPattern], events: [Event], secret: WebhookSecret, created: Date
    ) {
        self.id = id
        self.url = url
        self.projects = projects
        self.events = events
        self.secret = secret
        self.created = created
    }

    /// The host that it is sent to, for logs and pages.
    public var host: String { URLComponents(string: url)?.host ?? "" }

    /// Whether it is told of a project.
    public func isTold(of project: String) -> Bool { projects.contains { $0.matches(project) } }
}

/// A message to a receiver, until it has arrived.
public struct WebhookMessage: Sendable, Hashable, Codable {
    /// The field `webhook-id`: the same for every attempt, and for the same news, so that a receiver can drop repeats.
    public let id: String
    /// What it tells.
    public let type: String
    /// The JSON that is sent.
    public let body: String
    /// When it was made.
    public let created: Date
    /// How often it was sent.
    public var attempts = 0
    /// When it is sent next.
    public var due: Date
    /// Why it did not arrive the last time.
    public var lastFailure: String?

    /// Makes a message that was not sent yet.
    public init(id: String, type: String, body: String, created: Date) {
        self.id = id
        self.type = type
        self.body = body
        self.created = created
        due = created
    }
}

/// What was told of a project last, so that it is told once.
public struct WebhookPlace: Sendable, Hashable, Codable {
    /// The project.
    public var project: String
    /// The state of its default branch: run and commit; empty as long as there was none.
    public var state: String
    /// The day on which the exceptions of that state were looked at.
    public var day: String
    /// The exceptions that were told, and the last day of each.
    public var told: [String: String]

    /// Makes a place from its parts.
    public init(project: String, state: String, day: String, told: [String: String]) {
        self.project = project
        self.state = state
        self.day = day
        self.told = told
    }
}
