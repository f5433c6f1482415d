import Foundation
import Synchronization

/// A file that keeps the beginning and the end of an output, with limited memory and disk space.
final class TranscriptFile: Sendable {
    /// How much is kept at each end. Readers load the whole file into memory.
    struct Capacity: Sendable, Hashable {
        /// Bytes kept from the beginning.
        var head = 4 << 20
        /// Bytes kept from the end, in memory during the output.
        var tail = 4 << 20
    }

    private struct State {
        var file: Int32
        /// A ring buffer for the end, allocated when the beginning is full.
        var ring: [UInt8] = []
        var written = 0
        var ringed = 0
        var failure: RunnerError?
    }

    /// Where it is.
    let path: String
    private let capacity: Capacity
    private let state: Mutex<State>

    /// Makes an empty file.
    init(path: String, capacity: Capacity = Capacity()) throws(RunnerError) {
        self.path = path
        self.capacity = capacity
        let file = try systemCall("make", path) { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        state = Mutex(State(file: file))
    }

    /// Adds bytes at the end. An error is kept and thrown by `finish`.
    func append(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            guard state.failure == nil else { return }
            do throws(RunnerError) {
                let head = min(bytes.count, max(0, capacity.head - state.written))
                try write(UnsafeRawBufferPointer(rebasing: bytes[..<head]), to: state.file, at: state.written)
                state.written += head
                appendToRing(UnsafeRawBufferPointer(rebasing: bytes[head...]), &state)
            } catch {
                state.failure = error
            }
        }
    }

    /// Forgets all that was added so far. An error is kept and thrown by `finish`.
    func clear() {
        state.withLock { state in
            (state.written, state.ring, state.ringed) = (0, [], 0)
            guard state.failure == nil, ftruncate(state.file, 0) != 0 else { return }
            state.failure = .fileSystem(action: "empty", path: path, detail: systemMessage(errno))
        }
    }

    /// Writes the end after the beginning, closes the file, and returns how many bytes between them were dropped.
    func finish() throws(RunnerError) -> Int {
        try state.withLock { state throws(RunnerError) in
            defer { close(state.file) }
            if let failure = state.failure { throw failure }
            let dropped = max(0, state.ringed - capacity.tail)
            if dropped > 0 {
                let mark = Array("\n[kanmon: \(dropped) bytes were cut here]\n".utf8)
                let result = mark.withUnsafeBytes { bytes in
                    Result { () throws(RunnerError) in try write(bytes, to: state.file, at: state.written) }
                }
                try result.get()
                state.written += mark.count
            }
            try copyRing(&state, from: dropped)
            return dropped
        }
    }

    private func appendToRing(_ bytes: UnsafeRawBufferPointer, _ state: inout State) {
        guard !bytes.isEmpty, capacity.tail > 0 else {
            state.ringed += bytes.count
            return
        }
        if state.ring.isEmpty { state.ring = [UInt8](repeating: 0, count: capacity.tail) }
        var rest = bytes
        while !rest.isEmpty {
            let place = state.ringed % capacity.tail
            let count = min(rest.count, capacity.tail - place)
            state.ring.withUnsafeMutableBytes { ring in
                UnsafeMutableRawBufferPointer(rebasing: ring[place...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            }
            state.ringed += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    private func copyRing(_ state: inout State, from first: Int) throws(RunnerError) {
        guard !state.ring.isEmpty else { return }
        var position = first
        while position < state.ringed {
            let place = position % capacity.tail
            let count = min(state.ringed - position, capacity.tail - place)
            let (ring, file, written) = (state.ring, state.file, state.written)
            let result = ring.withUnsafeBytes { bytes in
                Result { () throws(RunnerError) in
                    try write(UnsafeRawBufferPointer(rebasing: bytes[place..<(place + count)]), to: file, at: written)
                }
            }
            try result.get()
            state.written += count
            position += count
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, at place: Int) throws(RunnerError) {
        var done = 0
        while done < bytes.count {
            let count = pwrite(file, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(place + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .fileSystem(action: "write", path: path, detail: systemMessage(errno)) }
            done += count
        }
    }
}
