public import Foundation
import RunModel

/// A receiver of messages about what happens on the default branches of projects. Webhooks are made only on the command line of
/// the server: whoever could name an address otherwise could make the server send requests to it.
public struct Webhook: Sendable, Hashable, Codable {
    /// The events that a receiver can get messages about.
    public enum Event: String, Sendable, Hashable, Codable, CaseIterable {
        /// Tests fail that did not fail before.
        case broke
        /// Tests pass that failed before.
        case fixed
        /// Tests are flaky that were not flaky before.
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

        /// What has happened, in one sentence without its end, for help texts.
        public var meaning: String {
            switch self {
            case .broke: "tests fail that did not"
            case .fixed: "tests pass that failed"
            case .flaky: "tests are flaky that were steady before"
            case .expiring: "entries of the quarantine and waivers end within 14 days"
            }
        }
    }

    /// How many webhooks there may be, because each is sent to on its own.
    public static let most = 32

    /// Its id: 12 hexadecimal digits.
    public let id: String
    /// Where messages go; it may hold a secret of the receiver.
    public let url: String
    /// The projects whose events it gets.
    public let projects: [ProjectPattern]
    /// The events that it gets.
    public let events: [Event]
    /// What messages are signed with.
    public let secret: WebhookSecret
    /// When it was made.
    public let created: Date
    /// When the receiver answered 410, so that nothing is sent any more.
    public var disabled: Date?

    package init(
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

    /// Whether it gets the events of a project.
    public func isTold(of project: String) -> Bool { projects.contains { $0.matches(project) } }
}

/// A message to a receiver, until it has arrived.
public struct WebhookMessage: Sendable, Hashable, Codable {
    /// The field `webhook-id`: the same for every attempt, and for the same event, so that a receiver can drop repeats.
    public let id: String
    /// The `type` of its event.
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

/// What a receiver was last sent about a project, so that nothing is sent twice.
public struct WebhookCursor: Sendable, Hashable, Codable {
    /// The project.
    public var project: String
    /// The state of its default branch: run and commit; empty as long as there was none.
    public var state: String
    /// The day on which the exceptions of that state were looked at.
    public var day: String
    /// The exceptions that a message announced, and the last day of each.
    public var told: [String: String]

    package init(project: String, state: String, day: String, told: [String: String]) {
        self.project = project
        self.state = state
        self.day = day
        self.told = told
    }
}
