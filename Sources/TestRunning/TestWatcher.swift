import Synchronization

/// Writes what the tests print to the transcript and follows their records.
///
/// `swift test` prints in blocks, minutes apart if need be; a record written is a sign of life as good as a line printed.
final class TestWatcher: ChildObserver {
    private struct State {
        var observer: RecordTail
        var events: RecordTail
        var results = LiveResults()
    }

    private let transcript: TranscriptFile
    private let state: Mutex<State>
    private let progress: @Sendable (RunProgress) -> Void

    init(transcript: TranscriptFile, files: RunFiles, progress: @escaping @Sendable (RunProgress) -> Void) {
        self.transcript = transcript
        state = Mutex(
            State(observer: RecordTail(path: files.observerRecords), events: RecordTail(path: files.eventStream))
        )
        self.progress = progress
    }

    func receive(_ bytes: UnsafeRawBufferPointer, from stream: ChildStream) { transcript.append(bytes) }

    func look() -> Bool {
        let (seen, lines) = state.withLock { state in
            let records = state.observer.newLines()
            let events = state.events.newLines()
            var told = records.compactMap { state.results.progress(ofObserverRecord: $0) }
            for event in events {
                if let one = state.results.progress(ofEvent: event) { told.append(one) }
            }
            return (!records.isEmpty || !events.isEmpty, told)
        }
        for line in lines { progress(line) }
        return seen
    }
}
