import Synchronization

/// What was delivered since the server started, for Prometheus.
final class DeliveryCounts: Sendable {
    private struct Figures {
        var answers: [Int: Int] = [:]
        var blobs = 0
        var bytes = 0
    }

    private let figures = Mutex(Figures())

    /// Counts an answer to a delivered run or file.
    func answered(_ status: Int) { figures.withLock { $0.answers[status, default: 0] += 1 } }

    /// Counts a file that arrived.
    func received(_ bytes: Int) {
        figures.withLock { figures in
            figures.blobs += 1
            figures.bytes += bytes
        }
    }

    /// The lines of the metrics.
    var lines: [String] {
        let figures = figures.withLock { $0 }
        let answers = figures.answers.sorted { $0.key < $1.key }
        return [
            "# HELP kanmon_delivery_answers_total Answers to delivered runs and files, by status; 400 and above are refusals.",
            "# TYPE kanmon_delivery_answers_total counter",
        ] + answers.map { "kanmon_delivery_answers_total{status=\"\($0.key)\"} \($0.value)" } + [
            "# HELP kanmon_blobs_received_total Files that arrived.", "# TYPE kanmon_blobs_received_total counter",
            "kanmon_blobs_received_total \(figures.blobs)",
            "# HELP kanmon_blob_bytes_received_total Bytes of the files that arrived.",
            "# TYPE kanmon_blob_bytes_received_total counter", "kanmon_blob_bytes_received_total \(figures.bytes)",
        ]
    }
}
