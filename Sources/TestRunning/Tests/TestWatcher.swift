import Evidence
import Synchronization

/// Writes the output of a pass to its transcript and reads its records.
///
/// `swift test` prints in blocks that may be minutes apart, so records count as signs of life too.
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

    /// - Parameter testLimit: How long one test may take; `nil` for no limit.
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

    /// The process has ended, so its tests do not run any more.
    func processEnded() { state.withLock { $0.results.processEnded() } }

    /// How many tests have ended, according to their records.
    var ended: Int { state.withLock { $0.results.ended } }

    /// The tests that were running when a time limit was over.
    var running: [Diagnosis.RunningTest] { state.withLock { $0.running } }
}
