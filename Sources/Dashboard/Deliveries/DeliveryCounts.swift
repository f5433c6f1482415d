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

    /// Counts a file that arrived, with its size.
    func received(_ bytes: Int) {
        figures.withLock { figures in
            figures.blobs += 1
            figures.bytes += bytes
        }
    }

    /// The lines of the metrics.
    var lines: [String] {
        let figures = figures.withLock { $0 }
        let refused = figures.refused.sorted { $0.key < $1.key }.map { reason, count in
            Metric.Sample(count, ["reason": reason.rawValue])
        }
        let answers = figures.answers.sorted { $0.key < $1.key }.map { status, count in
            Metric.Sample(count, ["status": String(status)])
        }
        var lines = Metric.deliveriesAccepted.text(of: figures.accepted)
        lines += Metric.deliveriesRefused.text(refused)
        lines += Metric.deliveryAnswers.text(answers)
        lines += Metric.blobsReceived.text(of: figures.blobs)
        lines += Metric.blobBytesReceived.text(of: figures.bytes)
        return lines
    }
}
