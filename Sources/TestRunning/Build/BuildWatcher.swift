import Synchronization

/// Writes the output of a build to its log and reports its progress.
final class BuildWatcher: ChildObserver {
    private let log: TranscriptFile
    private let counter = Mutex(BuildProgress())
    private let progress: @Sendable (RunProgress) -> Void

    init(log: TranscriptFile, progress: @escaping @Sendable (RunProgress) -> Void) {
        (self.log, self.progress) = (log, progress)
    }

    func receive(_ bytes: UnsafeRawBufferPointer, from stream: ChildStream) {
        log.append(bytes)
        if let count = counter.withLock({ $0.receive(bytes) }) { progress(.built(count.done, of: count.total)) }
    }
}
