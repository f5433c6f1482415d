public import Foundation

/// A folder of its own for a test, gone with it. Links in its path are resolved.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let path: String

    /// Makes the folder.
    public init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "kanmon-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.resolvingSymlinksInPath().path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, with the folders above it; answers with its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    /// Writes a file, with the folders above it; answers with its path.
    @discardableResult
    public func write(_ bytes: Data, to name: String) throws -> String {
        let place = "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try bytes.write(to: URL(filePath: place))
        return place
    }
}
