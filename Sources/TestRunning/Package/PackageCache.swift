import Foundation

/// Caches SwiftPM's description of a package in its scratch folder, until one of its inputs changes.
///
/// SwiftPM takes 0.2 s, and its answer depends on names and manifests; see `PackageKey`.
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
    ///   - command: The command that asks SwiftPM.
    ///   - fileName: The name of the record in the scratch folder.
    init(scratchPath: String, packageRoot: String, command: ChildCommand, fileName: String = Self.fileName) {
        path = "\(scratchPath)/\(fileName)"
        question = PackageKey(packageRoot: packageRoot, command: command)
    }

    /// A hash of the inputs of the answer; `nil` if they are unknown without asking.
    func key() -> String? { question.digest() }

    /// The answer to that key.
    func recall(_ key: String) -> PackageDescription? {
        guard let bytes = FileManager.default.contents(atPath: path),
            let record = try? JSONDecoder().decode(Record.self, from: bytes), record.key == key
        else { return nil }
        return try? PackageDescription(json: record.answer)
    }

    /// Stores an answer; errors are ignored, and SwiftPM is asked again the next time.
    ///
    /// - Parameter key: The key before asking, because inputs may have changed meanwhile.
    func remember(_ answer: Data, _ description: PackageDescription, key: String) {
        guard description.isVisible, self.key() == key,
            let bytes = try? JSONEncoder().encode(Record(key: key, answer: answer))
        else { return }
        try? bytes.write(to: URL(filePath: path), options: .atomic)
    }
}
