import Pages

/// The metrics that there are for Prometheus: a name and what it means, each once. Those whose name ends with `_total` only grow until the
/// server is started again.
enum Metric: String, CaseIterable {
    case runs = "kanmon_runs"
    case passed = "kanmon_passed"
    case linesCovered = "kanmon_lines_covered"
    case lines = "kanmon_lines"
    case quarantineEnding = "kanmon_quarantine_ending"
    case greenByRetry = "kanmon_green_by_retry"
    case answerBytes = "kanmon_answer_bytes"
    case answersRefused = "kanmon_answers_refused_total"
    case webhookWaiting = "kanmon_webhook_waiting"
    case webhookDeadLetters = "kanmon_webhook_dead_letters"
    case webhookDisabled = "kanmon_webhook_disabled"
    case deliveriesAccepted = "kanmon_deliveries_accepted_total"
    case deliveriesRefused = "kanmon_deliveries_refused_total"
    case deliveryAnswers = "kanmon_delivery_answers_total"
    case blobsReceived = "kanmon_blobs_received_total"
    case blobBytesReceived = "kanmon_blob_bytes_received_total"
    case blobs = "kanmon_blobs"
    case blobBytes = "kanmon_blob_bytes"
    case deliveriesWaiting = "kanmon_deliveries_waiting"
    case objectsWaiting = "kanmon_objects_waiting"
    case objectsRead = "kanmon_objects_read_timestamp_seconds"
    case diskFreeBytes = "kanmon_disk_free_bytes"
    case diskBytes = "kanmon_disk_bytes"
    case diskFreeShare = "kanmon_disk_free_share"
    case runsWaiting = "kanmon_runs_waiting"
    case machineHeard = "kanmon_machine_heard_timestamp_seconds"

    /// What it means, in a sentence.
    private var help: String {
        switch self {
        case .runs: "Runs that are stored."
        case .passed: "Whether the latest run of the default branch passed, with no failure let through."
        case .linesCovered: "Lines that the latest run of the default branch covered."
        case .lines: "Executable lines in the latest run of the default branch."
        case .quarantineEnding: "Entries of the quarantine of the default branch that have ended, or end soon."
        case .greenByRetry:
            "Runs of the last \(SheetPage.flakyDays) days that passed, and in which a retry hid a flaky test."
        case .answerBytes: "Bytes of answers that clients have not read yet."
        case .answersRefused: "Answers that were refused because too many waited to be read."
        case .webhookWaiting: "Messages of a webhook that wait to be sent."
        case .webhookDeadLetters: "Messages of a webhook that were given up."
        case .webhookDisabled: "Whether the receiver of a webhook wants no more messages."
        case .deliveriesAccepted: "Deliveries of runs after which the server had the run."
        case .deliveriesRefused: "Refused calls with runs and files, by reason."
        case .deliveryAnswers: "Answers to delivered runs and files, by status; 400 and above are refusals."
        case .blobsReceived: "Files that arrived."
        case .blobBytesReceived: "Bytes of the files that arrived."
        case .blobs: "Files of runs that are stored once, as of the last five minutes."
        case .blobBytes: "Bytes of these files, as of the last five minutes."
        case .deliveriesWaiting: "Delivered runs that wait for their turn to be judged."
        case .objectsWaiting: "Runs of other servers of which an object is missing or cannot be read now."
        case .objectsRead: "When all that other servers had named among the objects was last looked at."
        case .diskFreeBytes: "Free bytes of the disk that deliveries are stored on."
        case .diskBytes: "All bytes of that disk."
        case .diskFreeShare: "The share of its bytes, or of its files, that is free: the lesser one."
        case .runsWaiting: "Runs that wait for delivery on a machine, as it said last."
        case .machineHeard: "When a machine called last."
        }
    }

    /// A value of it, with the labels that say of what.
    struct Sample {
        fileprivate let text: String

        init(_ value: some CustomStringConvertible, _ labels: KeyValuePairs<String, String> = [:]) {
            let words = labels.map { "\($0.key)=\"\($0.value.metricLabel)\"" }.joined(separator: ",")
            text = words.isEmpty ? " \(value)" : "{\(words)} \(value)"
        }
    }

    /// Its lines in the text format of Prometheus.
    func text(_ samples: [Sample]) -> [String] {
        let type = rawValue.hasSuffix("_total") ? "counter" : "gauge"
        return ["# HELP \(rawValue) \(help)", "# TYPE \(rawValue) \(type)"] + samples.map { rawValue + $0.text }
    }

    /// The same of a metric that has one value.
    func text(of value: some CustomStringConvertible) -> [String] { text([Sample(value)]) }
}
