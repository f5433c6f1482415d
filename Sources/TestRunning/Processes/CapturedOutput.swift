import Foundation
import Synchronization

/// Keeps the beginning of each output stream of a child in memory.
final class CapturedOutput: ChildObserver {
    private struct State {
        var output = Data()
        var error = Data()
        var isCut = false
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: How many bytes of each stream to keep.
    init(limit: Int = 64 << 20) { self.limit = limit }

    func receive(_ bytes: UnsafeRawBufferPointer, from stream: ChildStream) {
        state.withLock { state in
            let path = stream == .output ? \State.output : \State.error
            let count = min(bytes.count, limit - state[keyPath: path].count)
            state[keyPath: path].append(contentsOf: bytes.prefix(count))
            if count < bytes.count { state.isCut = true }
        }
    }

    /// The standard output.
    var output: Data { state.withLock { $0.output } }
    /// The standard error as text.
    var errorText: String { state.withLock { String(decoding: $0.error, as: UTF8.self) } }
    /// Whether more was printed than is kept.
    var isCut: Bool { state.withLock { $0.isCut } }
}
