import Foundation

/// The files of a toolchain, which are others only where its programs are.
struct ToolchainFiles: Sendable, Hashable {
    private let folders: [[UInt8]]

    /// - Parameter swift: The path of its `swift`. The prefix may be that of the whole system.
    init(swift: String) {
        let prefix = ((swift as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent
        folders = ["lib/swift", "lib/swift_static", "lib/clang"].map { Array("\(prefix)/\($0)/".utf8) }
    }

    /// Whether a path is one of them.
    func contains(_ path: [UInt8]) -> Bool { folders.contains { path.starts(with: $0) } }
}
