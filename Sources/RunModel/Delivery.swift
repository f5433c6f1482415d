/// The files of one run directory, as a machine offers them to a server: the body of `PUT /api/v1/runs/{id}`.
///
/// There is no archive: files are named by what they hold, and a server asks only for those that the same token has not sent yet.
public struct Delivery: Sendable, Hashable, Codable {
    /// One file of the run directory.
    public struct File: Sendable, Hashable, Codable {
        /// The path inside of the run directory, with `/` between its parts.
        public var path: String
        /// The SHA-256 of the bytes, as 64 lowercase hexadecimal digits.
        public var sha256: String
        /// The number of bytes.
        public var size: Int

        package init(path: String, sha256: String, size: Int) {
            self.path = path
            self.sha256 = sha256
            self.size = size
        }
    }

    /// The version of this format.
    public var schemaVersion = 1
    /// The project, as the run's manifest has it.
    public var project: String
    /// Every file that the run's manifest names, and `manifest.json` itself, each path once.
    public var files: [File]

    package init(project: String, files: [File]) { (self.project, self.files) = (project, files) }
}

/// The answer of a server to a delivery.
public struct DeliveryReceipt: Sendable, Hashable, Codable {
    /// How far the server has got with the run.
    public enum State: String, Sendable, Hashable, Codable {
        /// The server has every file, has read and judged the run again and stored it: status 201.
        case stored
        /// The server had the same run, with the same bytes, before: status 200.
        case known
        /// The server needs the files in `missing` from this token first: status 202.
        case incomplete
    }

    /// How far the server has got.
    public var state: State
    /// The SHA-256 of each file that the token has not sent yet.
    public var missing: [String]
    /// The server's own decision, such as `passed`; `nil` while it is incomplete.
    public var decision: String?
    /// The address of the run's page, relative to the server's address; `nil` while it is incomplete.
    public var page: String?

    package init(_ state: State, missing: [String] = [], decision: String? = nil, page: String? = nil) {
        self.state = state
        self.missing = missing
        self.decision = decision
        self.page = page
    }
}
