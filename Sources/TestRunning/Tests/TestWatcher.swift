import Evidence
import Synchronization

/// Writes what the tests of a pass print to its transcript and follows their records.
///
/// `swift test` prints in blocks, minutes apart if need be; a record written is a sign of life as good as a line printed.
final class TestWatcher: ChildObserver {
    private struct State {
        var observer: RecordTail
        var events: RecordTail
        var results = LiveResults()
        var running: [Diagnosis.RunningTest] = []
    }

    private let transcript: TranscriptFile
    private let state: Mutex<State>
    private let testLimit: Duration?
    private let progress: @Sendable (RunProgress) -> Void
    private let clock = RunClock()
    private let begin: RunClock.Instant

    /// - Parameter testLimit: How long one test may take; `nil` is for ever.
    init(
        transcript: TranscriptFile,
        files: RunFiles,
        testLimit: Duration?,
        progress: @escaping @Sendable (RunProgress) -> Void
    ) {
        self.transcript = transcript
        self.testLimit = testLimit
        state = Mutex(
            State(observer: RecordTail(path: files.observerRecords), events: RecordTail(path: files.eventStream))
        )
        self.progress = progress
        begin = clock.now
    }

    func receive(_ bytes: UnsafeRawBufferPointer, from stream: ChildStream) { transcript.append(bytes) }

    func look() -> LifeSigns {
        let now = clock.now - begin
        let (signs, news) = state.withLock { state in
            let records = state.observer.newLines()
            let events = state.events.newLines()
            var told: [RunProgress] = []
            for record in records {
                if let one = state.results.progress(ofObserverRecord: record, at: now) { told.append(one) }
            }
            for event in events {
                if let one = state.results.progress(ofEvent: event, at: now) { told.append(one) }
            }
            var signs: LifeSigns = records.isEmpty && events.isEmpty ? [] : .activity
            if state.results.running(at: now, limit: testLimit).contains(where: \.isOverdue) {
                signs.insert(.overdueTest)
            }
            return (signs, told)
        }
        for one in news { progress(one) }
        return signs
    }

    func willEnd() {
        let now = clock.now - begin
        state.withLock { $0.running = $0.results.running(at: now, limit: testLimit) }
    }

    /// Takes note that the process has ended: what was running in it runs no more.
    func processEnded() { state.withLock { $0.results.processEnded() } }

    /// How many tests came to their end, as far as their records tell.
    var ended: Int { state.withLock { $0.results.ended } }

    /// The tests that were running when a time limit was over.
    var running: [Diagnosis.RunningTest] { state.withLock { $0.running } }
}
