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

extension DeliveryService {
    /// The lines of the metrics about the disk, and about what other servers take in.
    func lines(at moment: Date) -> [String] {
        let size = blobSize.find(in: blobs, at: moment)
        var lines =
            Metric.blobs.text(of: size.files) + Metric.blobBytes.text(of: size.bytes)
            + Metric.deliveriesWaiting.text(of: waiting)
        if let followed = followed() {
            lines += Metric.objectsWaiting.text(of: followed.waiting)
            if let moment = followed.readAt {
                lines += Metric.objectsRead.text(of: Int(moment.timeIntervalSince1970))
            }
        }
        if let disk = blobs.disk {
            lines +=
                Metric.diskFreeBytes.text(of: disk.free) + Metric.diskBytes.text(of: disk.total)
                + Metric.diskFreeShare.text(of: blobs.freeShare)
        }
        return lines
    }
}
