import Evidence
import Foundation
import Synchronization

/// What the delivered files take, measured now and then: every one of them is looked at.
final class BlobSize: Sendable {
    /// How long a measurement counts, in seconds.
    private static let lifetime = 300.0

    private struct Measured {
        let files: Int
        let bytes: Int
        let moment: Date
    }

    private let last = Mutex<Measured?>(nil)

    /// The files and their bytes, not older than five minutes.
    func find(in blobs: BlobStore, at moment: Date) -> (files: Int, bytes: Int) {
        last.withLock { last in
            if let last, abs(moment.timeIntervalSince(last.moment)) < Self.lifetime { return (last.files, last.bytes) }
            let size = blobs.size()
            last = Measured(files: size.files, bytes: size.bytes, moment: moment)
            return size
        }
    }
}

extension DeliveryDesk {
    /// The lines of the metrics about the disk.
    func lines(at moment: Date) -> [String] {
        let size = blobSize.find(in: blobs, at: moment)
        var lines = [
            "# HELP kanmon_blobs Files of runs that are stored once, as of the last five minutes.",
            "# TYPE kanmon_blobs gauge", "kanmon_blobs \(size.files)",
            "# HELP kanmon_blob_bytes Bytes of these files, as of the last five minutes.",
            "# TYPE kanmon_blob_bytes gauge", "kanmon_blob_bytes \(size.bytes)",
            "# HELP kanmon_deliveries_waiting Delivered runs that wait for their turn to be judged.",
            "# TYPE kanmon_deliveries_waiting gauge", "kanmon_deliveries_waiting \(waiting)",
        ]
        if let disk = blobs.disk {
            lines += [
                "# HELP kanmon_disk_free_bytes Free bytes of the disk that deliveries are stored on.",
                "# TYPE kanmon_disk_free_bytes gauge", "kanmon_disk_free_bytes \(disk.free)",
                "# HELP kanmon_disk_bytes All bytes of that disk.", "# TYPE kanmon_disk_bytes gauge",
                "kanmon_disk_bytes \(disk.total)",
                "# HELP kanmon_disk_free_share The share of its bytes, or of its files, that is free: the lesser one.",
                "# TYPE kanmon_disk_free_share gauge", "kanmon_disk_free_share \(blobs.freeShare)",
            ]
        }
        return lines
    }
}
