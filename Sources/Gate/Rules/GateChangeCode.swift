/// A way in which a commit can make a rule laxer than it is at its base. Each rule declares its own codes, in its
/// file in this folder; nothing is added here.
public struct GateChangeCode: Sendable {
    /// The stable code, such as `floor-lowered`.
    public let rawValue: String
    /// One sentence that says what it means.
    public let meaning: String
    /// Whether a waiver names the module or test target that it is about, and not the code.
    let isWaivedBySubject: Bool
    /// Whether it is found by comparing tests with the base's stored run.
    let needsStoredRun: Bool

    init(_ rawValue: String, _ meaning: String, isWaivedBySubject: Bool = false, needsStoredRun: Bool = false) {
        self.rawValue = rawValue
        self.meaning = meaning
        self.isWaivedBySubject = isWaivedBySubject
        self.needsStoredRun = needsStoredRun
    }
}

extension GateChangeCode: Hashable, CaseIterable, Codable {
    /// Every code, in the order of the rules.
    public static let allCases: [GateChangeCode] = Rules.all.flatMap { $0.changes }

    /// The rules on tests that compare with the base's stored run.
    static var needingStoredRun: [GateChangeCode] { allCases.filter(\.needsStoredRun) }

    /// Codes are the same when they are written the same.
    public static func == (left: GateChangeCode, right: GateChangeCode) -> Bool { left.rawValue == right.rawValue }

    /// Hashes what is written.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Decodes a code as it is written; one that no rule declares is an error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let written = try container.decode(String.self)
        guard let code = Self.allCases.first(where: { $0.rawValue == written }) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "no gate change is called '\(written)'")
        }
        self = code
    }

    /// Encodes the code as it is written.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
