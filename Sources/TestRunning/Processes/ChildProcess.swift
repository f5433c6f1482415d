import CProcess
import Foundation
import RunModel
import Synchronization

/// How a child and its descendants ended.
struct ChildOutcome: Sendable, Hashable {
    /// How the child itself ended.
    var termination: Termination
    /// From its start to its own end.
    var duration: Duration
    /// Why it was ended; `nil` if it ended by itself.
    var cause: Supervision.Cause?
    /// The processes that outlived it, or that it waited for without end.
    var leaked: [ProcessEntry]
    /// The processes of its tree when a time limit ended it, each with what it was doing.
    var processes: [String] = []

    /// Whether a time limit ended it.
    var wasTimedOut: Bool { cause != nil && cause != .cancelled }
}

/// Observes a child.
protocol ChildObserver: Sendable {
    /// Receives the output of the child.
    func receive(_ bytes: UnsafeRawBufferPointer, from stream: ChildStream)
    /// Called ten times a second and at the end; returns signs of life other than the output.
    func look() -> LifeSigns
    /// Called once when a time limit is over, before the processes are ended.
    func willEnd()
}

extension ChildObserver {
    func look() -> LifeSigns { [] }
    func willEnd() {}
}

/// Signs of life of a child other than its output.
struct LifeSigns: OptionSet, Sendable {
    let rawValue: Int

    /// Something was recorded.
    static let activity = LifeSigns(rawValue: 1)
    /// One of the tests takes longer than it may.
    static let overdueTest = LifeSigns(rawValue: 2)
}

enum ChildStream: Sendable, Hashable { case output, error }

/// A child process, run to the end of its process tree on its own thread, by the rules of `Supervision`.
///
/// It waits for the child, not for the end of the output, which a leaked process may keep open.
struct ChildProcess: Sendable {
    /// What to start.
    var command: ChildCommand
    /// When to end it.
    var limits: Supervision.Limits
    /// Whether both streams are to arrive as one, in the order of writing.
    var mergesStreams: Bool
    /// The isolation of its process tree.
    var isolation: TreeIsolation

    init(
        _ command: ChildCommand, limits: Supervision.Limits, mergesStreams: Bool, isolation: TreeIsolation = .reaper
    ) {
        self.command = command
        self.limits = limits
        self.mergesStreams = mergesStreams
        self.isolation = isolation
    }

    /// Runs the child to its end. Cancelling the task ends the tree and returns how it ended; an `ImmediateStop` of the task ends it
    /// at once.
    func run(_ observer: some ChildObserver) async throws(RunnerError) -> ChildOutcome {
        let wake = try WakePipe()
        let stop = ImmediateStop.ofTask
        stop?.add(wake)
        defer { stop?.remove(wake) }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<ChildOutcome, RunnerError>, Never>) in
                Thread.detachNewThread {
                    continuation.resume(returning: outcome(observer, wake))
                }
            }
        } onCancel: {
            wake.send(.end)
        }
        wake.close()
        return try result.get()
    }

    private func outcome(_ observer: some ChildObserver, _ wake: WakePipe) -> Result<ChildOutcome, RunnerError> {
        Result { () throws(RunnerError) in
            var watch = try ChildWatch(self, wake: wake)
            defer { watch.close() }
            return try watch.watch(observer)
        }
    }
}

/// Wakes a thread that waits in `poll`.
final class WakePipe: Sendable {
    private let ends: Mutex<(read: Int32, write: Int32)?>
    let readEnd: Int32

    init() throws(RunnerError) {
        var ends: [Int32] = [-1, -1]
        try systemCall("make", "a pipe") { cprocess_pipe(&ends) }
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        readEnd = ends[0]
        self.ends = Mutex((ends[0], ends[1]))
    }

    /// What the thread must do.
    enum StopRequest: UInt8, Sendable {
        /// Ask the tree to end.
        case end = 1
        /// Kill the tree.
        case kill = 2
    }

    /// Wakes the thread; does nothing once closed.
    func send(_ request: StopRequest) {
        ends.withLock { ends in
            guard let ends else { return }
            var byte = request.rawValue
            _ = write(ends.write, &byte, 1)
        }
    }

    /// The requests since the last call, in order.
    func requests() -> [StopRequest] {
        var bytes: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
        let count = withUnsafeMutableBytes(of: &bytes) { read(readEnd, $0.baseAddress, $0.count) }
        guard count > 0 else { return [] }
        return withUnsafeBytes(of: bytes) { $0.prefix(count).compactMap(StopRequest.init) }
    }

    /// Closes both ends; later signals are lost.
    func close() {
        ends.withLock { open in
            guard let ends = open else { return }
            _ = Glibc.close(ends.read)
            _ = Glibc.close(ends.write)
            open = nil
        }
    }
}
