import Evidence
import Objects

extension ObjectsSweep {
    /// Sets aside old files of the inbox of which nobody says any more that they are a run: those of machines that were ended, and of
    /// runs that were taken in.
    func sweepInbox(_ report: inout Report) async throws {
        var files = ObjectCursor(objects, in: RunKey.inboxFiles)
        var last: (run: String, isOffered: Bool)?
        while let entry = try await files.next() {
            let parts = entry.key.text.split(separator: "/")
            guard parts.count == 6 else {
                report.notes.add("\(entry.key) is no file of a run")
                continue
            }
            let run = "\(parts[3])/\(parts[4])"
            if last?.run != run { last = (run, try await !isMissing(RunKey.key("\(RunKey.inboxRuns)/\(run)"))) }
            guard last?.isOffered == false, isOld(entry.modified) else { continue }
            report.setAside.add(entry)
            // No server takes what has another hash than it says, or is larger: nobody needs a copy of that.
            if try await !setAside(entry, limit: BlobStore.largest) { try await remove(entry.key) }
        }
    }
}
