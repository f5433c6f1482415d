import Evidence
import RunModel

/// Reads a log line by line.
struct TranscriptBuilder {
    private var transcript = Transcript()
    private var output = HeadAndTail()
    private var open: Int?
    private let known: Set<Name>?
    private var crash: CrashReader
    private let budget: EvidenceBudget
    /// How much is kept of what failures say, and of what tests print.
    private var texts = TextAllowance()
    private var printed = TextAllowance()

    init(known: Set<Name>?, budget: EvidenceBudget = EvidenceBudget()) {
        self.known = known
        self.budget = budget
        crash = CrashReader(budget)
    }

    mutating func add(_ line: LineBytes, hasNewline: Bool) {
        if let mark = CaseMark(line), accepts(mark) {
            // A program that prints no newline at its end leaves its text in front of the mark.
            if mark.offset > 0 {
                crash.takeSignal(line.upTo(mark.offset), execution: open)
                keep(line.upTo(mark.offset), hasNewline: false)
            }
            take(mark)
        } else if !takeFailure(line) {
            if Self.isConclusion(line) { transcript.isConcluded = true }
            // Swift Testing begins in a process of its own: a test of XCTest that is still open will not end any more.
            if line.hasPrefix("◇ Test run started.") {
                closeOutput()
                open = nil
            }
            if let signal = CrashReader.signalOfProcess(line) { transcript.signal = signal }
            crash.add(line, execution: open)
            keep(line, hasNewline: hasNewline)
        }
    }

    mutating func finish() -> Transcript {
        closeOutput()
        transcript.cutTexts = texts.cut + printed.cut
        transcript.crashes = crash.finish { transcript.executions[$0].end == nil }
        return transcript
    }

    /// The outermost suite ends after every other.
    private static func isConclusion(_ line: LineBytes) -> Bool {
        for suite in ["Test Suite 'All tests' ", "Test Suite 'Selected tests' "] as [StaticString]
        where line.hasPrefix(suite) {
            let words = line.from(suite.utf8CodeUnitCount)
            return words.hasPrefix("passed at ") || words.hasPrefix("failed at ")
        }
        return false
    }

    private func accepts(_ mark: CaseMark) -> Bool {
        if case .ended = mark.event { return open.map { transcript.executions[$0].name } == mark.name }
        return known?.contains(Name(mark.name)) ?? true
    }

    private mutating func take(_ mark: CaseMark) {
        switch mark.event {
        case .started:
            closeOutput()
            budget.count(.execution)
            budget.count(mark.name)
            transcript.executions.append(Transcript.Execution(name: mark.name))
            open = transcript.executions.count - 1
        case .ended(let end):
            guard let open else { return }
            transcript.executions[open].end = end
            closeOutput()
            self.open = nil
        }
    }

    private mutating func closeOutput() {
        if let open, !output.isEmpty {
            let text = printed.keep(output)
            budget.count(text)
            transcript.executions[open].output = text
        }
        output = HeadAndTail(most: printed.most)
    }

    private mutating func keep(_ line: LineBytes, hasNewline: Bool) {
        guard open != nil else { return }
        output.append(line.bytes)
        if hasNewline { output.append(CollectionOfOne(UInt8(ascii: "\n"))) }
    }

    /// Takes `place: error: Class.method : text` and `place: Class.method : Test skipped - text` of the open test.
    private mutating func takeFailure(_ line: LineBytes) -> Bool {
        guard let open else { return false }
        var name = " \(transcript.executions[open].name) : "
        let found = name.withUTF8 { wanted in line.find(wanted).map { ($0, $0 + wanted.count) } }
        guard let (start, end) = found else { return false }
        let text = line.from(end)
        let head = line.upTo(start)
        if head.hasSuffix(": error:") {
            let place = SourceLocation(console: head.upTo(head.count - 8))
            let issue = Issue(message: keep(text), location: place)
            budget.count(.message)
            if let place { budget.count(place.path) }
            transcript.executions[open].issues.append(issue)
            return true
        }
        guard head.hasSuffix(":"), text.hasPrefix("Test skipped") else { return false }
        let reason = text.from(12)
        let skip = reason.hasPrefix(" - ") ? reason.from(3) : reason.hasPrefix(": ") ? reason.from(2) : reason
        transcript.executions[open].skipReason = keep(skip)
        return true
    }

    private mutating func keep(_ text: LineBytes) -> String {
        let kept = texts.keep(text.text)
        budget.count(kept)
        return kept
    }
}

/// `Test Case 'Class.method' started at …` or `… passed (0.021 seconds)`, wherever in a line it stands.
private struct CaseMark {
    enum Event { case started, ended(Transcript.End) }

    let offset: Int
    let name: String
    let event: Event

    init?(_ line: LineBytes) {
        guard let offset = line.findLast("Test Case '") else { return nil }
        let rest = line.from(offset + 11)
        guard let quote = rest.findLast("' ") else { return nil }
        let words = rest.from(quote + 2)
        if words.hasPrefix("started at "), words.count >= 30 {
            event = .started
        } else {
            let outcome: Outcome
            let time: LineBytes
            if words.hasPrefix("passed (") {
                (outcome, time) = (.passed, words.from(8))
            } else if words.hasPrefix("failed (") {
                (outcome, time) = (.failed, words.from(8))
            } else if words.hasPrefix("skipped (") {
                (outcome, time) = (.skipped, words.from(9))
            } else {
                return nil
            }
            guard time.hasSuffix(" seconds)") else { return nil }
            let duration = StrictNumber.seconds(time.upTo(time.count - 9).bytes)
            event = .ended(Transcript.End(outcome: outcome, duration: duration))
        }
        self.offset = offset
        name = rest.upTo(quote).text
    }
}

extension SourceLocation {
    /// Reads `path:line`; `nil` where XCTest knows no place, as for `<EXPR>:0`.
    init?(console place: LineBytes) {
        guard let colon = place.findLast(":"), let line = StrictNumber.count(place.from(colon + 1).bytes), line > 0
        else { return nil }
        var path = place.upTo(colon)
        // Output of the test may precede it.
        if !path.hasPrefix("/"), let slash = path.find("/") { path = path.from(slash) }
        self.init(path: path.text, line: line)
    }
}
