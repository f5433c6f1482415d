import RunModel
import Synchronization

/// What was delivered since the server started, for Prometheus.
final class DeliveryCounts: Sendable {
    private struct Figures {
        var answers: [Int: Int] = [:]
        var accepted = 0
        var refused: [RefusalCode: Int] = [:]
        var blobs = 0
        var bytes = 0
    }

    private let figures = Mutex(Figures())

    /// Counts an answer to a delivered run or file.
    ///
    /// - Parameters:
    ///   - refusal: Why it was refused; `nil` if it was not.
    ///   - isDelivered: Whether the server has the run now.
    func answered(_ status: Int, refusal: RefusalCode?, isDelivered: Bool) {
        figures.withLock { figures in
            figures.answers[status, default: 0] += 1
            if isDelivered { figures.accepted += 1 }
            if let refusal { figures.refused[refusal, default: 0] += 1 }
        }
    }

    /// Counts a file that arrived, whole or as a difference, in so many bytes.
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
        let refused = figures.refused.sorted { $0.key < $1.key }
        return [
            "# HELP kanmon_deliveries_accepted_total Deliveries of runs after which the server had the run.",
            "# TYPE kanmon_deliveries_accepted_total counter",
            "kanmon_deliveries_accepted_total \(figures.accepted)",
            "# HELP kanmon_deliveries_refused_total Refused calls with runs and files, by reason.",
            "# TYPE kanmon_deliveries_refused_total counter",
        ] + refused.map { "kanmon_deliveries_refused_total{reason=\"\($0.key.rawValue)\"} \($0.value)" } + [
            "# HELP kanmon_delivery_answers_total Answers to delivered runs and files, by status; 400 and above are refusals.",
            "# TYPE kanmon_delivery_answers_total counter",
        ] + answers.map { "kanmon_delivery_answers_total{status=\"\($0.key)\"} \($0.value)" } + [
            "# HELP kanmon_blobs_received_total Files that arrived.", "# TYPE kanmon_blobs_received_total counter",
            "kanmon_blobs_received_total \(figures.blobs)",
            "# HELP kanmon_blob_bytes_received_total Bytes that files arrived in, whole or as differences.",
            "# TYPE kanmon_blob_bytes_received_total counter", "kanmon_blob_bytes_received_total \(figures.bytes)",
        ]
    }
}
