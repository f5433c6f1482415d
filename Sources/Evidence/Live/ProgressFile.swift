import Foundation
public import RunModel
import Synchronization

/// The sign of life of a run in progress: a lock on its folder, and a small file with its progress.
///
/// The lock ends with the process, so a killed run is not taken for one in progress.
public final class ProgressFile: Sendable {
    private struct State {
        var run: LiveRun
        var isWritten = false
        var descriptor: Int32
    }

    private let path: String
    private let state: Mutex<State>

    /// Locks the folder of the run and makes the file; removes the files of runs that were killed more than a day
    /// ago.
    ///
    /// - Parameter progressFiles: The folder of the progress files of all runs; it is made when it is missing.
    public init(_ run: LiveRun, in progressFiles: ProgressFiles) throws(EvidenceError) {
        do {
            try FileOwner.makeFolder(progressFiles.path)
        } catch {
            throw .unwritable(path: progressFiles.path, reason: "the folder cannot be created")
        }
        progressFiles.removeStale()
        let descriptor = open(run.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: run.folder, reason: FileBytes.systemError()) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = FileBytes.systemError()
            close(descriptor)
            throw .unwritable(path: run.folder, reason: reason)
        }
        path = progressFiles.file(of: run.runID)
        state = Mutex(State(run: run, descriptor: descriptor))
        write()
    }

    deinit { end() }

    /// Records a change; `write` writes it.
    public func update(_ change: (inout LiveProgress) -> Void) {
        state.withLock { state in
            change(&state.run.progress)
            state.isWritten = false
        }
    }

    /// Writes the file if it has changed, first under another name, so that readers see no partial file.
    ///
    /// Errors are ignored; the next change tries again.
    public func write() {
        state.withLock { state in
            guard !state.isWritten, state.descriptor >= 0, let bytes = try? state.run.encoded() else { return }
            state.isWritten = true
            let partial = "\(path).partial"
            unlink(partial)
            guard (try? FileBytes.write(bytes, to: partial)) != nil else { return }
            if rename(partial, path) != 0 { unlink(partial) }
        }
    }

    /// Releases the folder. The file stays for readers until the run is stored; `ProgressFiles` removes it.
    public func end() {
        write()
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            // Closing is not enough: a child of another thread, between its fork and its exec, still has the descriptor.
            flock(state.descriptor, LOCK_UN)
            close(state.descriptor)
            state.descriptor = -1
        }
    }
}
