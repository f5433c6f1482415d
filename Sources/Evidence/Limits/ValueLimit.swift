/// How large a JSON file may be that is decoded as a whole.
///
/// Foundation's decoder takes memory for each value, however short its text: 75 bytes for a number, 500 for an object with
/// its members. So the number of values is limited besides that of bytes.
package struct ValueLimit: Sendable, Hashable {
    /// The largest file, in bytes.
    let bytes: Int
    /// How many values it may hold: elements of arrays and members of objects.
    let values: Int

    /// A manifest: that of a package with ten thousand sources has about 5 MiB and 30,000 values.
    static let manifest = ValueLimit(bytes: RunManifest.largest, values: 250_000)
    /// A policy: it comes from settings of at most 1 MiB.
    static let policy = ValueLimit(bytes: 2 << 20, values: 100_000)
    /// A base: it names every test of the base run.
    static let baseline = ValueLimit(bytes: 16 << 20, values: 400_000)
    /// A comparison: for a package of a million lines about 7 MiB and 500,000 values, two for each range of lines.
    static let comparison = ValueLimit(bytes: 16 << 20, values: 800_000)

    /// Tests that a selection would have left out: 30,000 tests have about 4 MiB.
    static let deselectedTests = ValueLimit(bytes: 16 << 20, values: 400_000)
    /// Lines of deselected tests: like a comparison, two values and an array for each range of lines.
    static let deselectedLines = ValueLimit(bytes: 16 << 20, values: 800_000)
    /// Authors of the lines at which a few tests failed.
    static let authors = ValueLimit(bytes: 1 << 20, values: 1000)
    /// Repeated tests: at most 120 values for each of those that are listed.
    static let probation = ValueLimit(bytes: 16 << 20, values: 200_000)
    /// What was seen of a hundred failed tests: each with some tallies, and with what failed it in a few runs.
    static let causes = ValueLimit(bytes: 2 << 20, values: 50_000)

    /// The limit for files of a role; `nil` for those that are not decoded as a whole.
    package init?(of role: ArtifactRole) {
        switch role {
        case .policy: self = .policy
        case .baseline: self = .baseline
        case .comparison: self = .comparison
        case .deselectedTests: self = .deselectedTests
        case .deselectedLines: self = .deselectedLines
        case .authors: self = .authors
        case .probation: self = .probation
        case .causes: self = .causes
        default: return nil
        }
    }

    init(bytes: Int, values: Int) { (self.bytes, self.values) = (bytes, values) }

    /// Refuses what is larger, before it is decoded.
    ///
    /// - Throws: `EvidenceError.tooLarge`.
    func check(_ text: [UInt8], file: String) throws(EvidenceError) {
        guard text.count <= bytes else {
            throw .tooLarge(file: file, reason: "\(text.count) bytes, the limit is \(bytes)")
        }
        // A value behind a comma has at least two bytes.
        guard text.count / 2 >= values, Self.commas(in: text) >= values else { return }
        throw .tooLarge(file: file, reason: "more than \(values) values in a file of JSON")
    }

    /// The commas outside of strings.
    private static func commas(in text: [UInt8]) -> Int {
        text.withUnsafeBufferPointer { text in
            var (count, isInString, isEscaped) = (0, false, false)
            for byte in text {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\"") {
                    isInString.toggle()
                } else if isInString {
                    isEscaped = byte == UInt8(ascii: "\\")
                } else if byte == UInt8(ascii: ",") {
                    count += 1
                }
            }
            return count
        }
    }
}

extension RunDirectory {
    /// Reads an artifact of a role that is decoded as a whole, and compares it with the size and SHA-256 in the manifest.
    ///
    /// - Throws: `EvidenceError.damaged` when it is gone or differs, `.tooLarge` beyond the limits of its role.
    public func value(of artifact: Artifact) throws(EvidenceError) -> [UInt8] {
        let limit = ValueLimit(of: artifact.role)
        let bytes = try bytes(of: artifact, limit: limit?.bytes ?? Self.fileLimit)
        try limit?.check(bytes, file: artifact.path)
        return bytes
    }

    /// Refuses bytes that could not be read back as an artifact of a role.
    ///
    /// - Throws: `EvidenceError.tooLarge`.
    public static func check(_ bytes: [UInt8], as role: ArtifactRole, file: String) throws(EvidenceError) {
        try ValueLimit(of: role)?.check(bytes, file: file)
    }
}
