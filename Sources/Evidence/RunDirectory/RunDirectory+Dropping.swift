import Foundation
package import RunModel

extension RunDirectory {
    /// Whether there is a manifest, and none of the files that it names.
    package var hasOnlyManifest: Bool {
        guard let artifacts = (try? manifest())?.artifacts, !artifacts.isEmpty else { return false }
        return artifacts.allSatisfy { access(location(of: $0.path), F_OK) != 0 }
    }

    /// Removes every file but the manifest and how the run came, which stay as they are; on disk when it returns.
    ///
    /// - Throws: `EvidenceError.unwritable`; the directory is then as it was.
    package func dropFiles() throws(EvidenceError) {
        let writer = try Writer(creating: path, replacing: true)
        do throws(EvidenceError) {
            let kept = [RunManifest.fileName, DeliveryRecord.fileName].filter { access(location(of: $0), F_OK) == 0 }
            for file in kept {
                let place = try writer.location(of: file)
                guard Foundation.link(location(of: file), place) == 0 else {
                    throw .unwritable(path: place, reason: FileBytes.systemError())
                }
            }
            _ = try writer.take(kept)
        } catch {
            try? writer.discard()
            throw error
        }
    }

    /// Makes the directory of a delivered run as `dropFiles` leaves it; on disk when it returns.
    ///
    /// - Parameter manifest: The bytes of the manifest.
    /// - Throws: `EvidenceError.unwritable`, also if there is a directory already.
    package func makeWithoutFiles(manifest: [UInt8], _ record: DeliveryRecord) throws(EvidenceError) {
        let writer = try Writer(creating: path)
        do throws(EvidenceError) {
            try FileBytes.write(record.encoded(), to: try writer.location(of: DeliveryRecord.fileName))
            _ = try writer.finish(manifest, files: [DeliveryRecord.fileName])
        } catch {
            try? writer.discard()
            throw error
        }
    }
}
