import Foundation

/// What SwiftPM said of a package, kept in its scratch folder as long as nothing that it looked at is another.
///
/// Asking takes a fifth of a second, and the answer depends on names and manifests; see `PackageKey`.
struct PackageCache: Sendable {
    /// The name of the package's own record.
    static let fileName = "kanmon-description.json"

    private struct Record: Codable {
        var key: String
        var answer: Data
    }

    private let path: String
    private let question: PackageKey

    /// - Parameters:
    ///   - command: What asks SwiftPM.
    ///   - fileName: The name of the record in the scratch folder.
    init(scratchPath: String, packageRoot: String, command: ChildCommand, fileName: String = Self.fileName) {
        path = "\(scratchPath)/\(fileName)"
        question = PackageKey(packageRoot: packageRoot, command: command)
    }

    /// What the answer depends on, as one hash; `nil` where that cannot be told without asking.
    func key() -> String? { question.digest() }

    /// The answer to that key.
    func recall(_ key: String) -> PackageDescription? {
        guard let bytes = FileManager.default.contents(atPath: path),
            let record = try? JSONDecoder().decode(Record.self, from: bytes), record.key == key
        else { return nil }
        return try? PackageDescription(json: record.answer)
    }

    /// Keeps an answer; where that cannot be done, SwiftPM is asked again the next time.
    ///
    /// - Parameter key: What it was before asking: what changed meanwhile belongs to no answer.
    func remember(_ answer: Data, _ description: PackageDescription, key: String) {
        guard description.isVisible, self.key() == key,
            let bytes = try? JSONEncoder().encode(Record(key: key, answer: answer))
        else { return }
        try? bytes.write(to: URL(filePath: path), options: .atomic)
    }
}
