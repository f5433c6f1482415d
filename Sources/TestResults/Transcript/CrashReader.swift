import Evidence
import RunModel

/// Finds the reports of crashes in a log.
struct CrashReader {
    private var crashes: [Crash] = []
    private let budget: EvidenceBudget
    /// What was said before the report begins.
    private var message: String?
    private var place: SourceLocation?
    private var messageExecution: Int?
    /// Whether the report began in the execution in which the message was said. It ends in another one where marks of tests
    /// arrive late: they come by another pipe. A process that a test started and that crashed cannot be told from that.
    private var isMessageOfReport = false
    /// What was said last before a report of another execution; it is of that report if its first frame is of what says such.
    private var late: (message: String, place: SourceLocation?)?
    private var signal: Int32?
    /// Whether the lines are frames of a thread that is looked at: before the first, within, or not.
    private enum Frames { case none, expected, within }
    private var frames = Frames.none
    /// Whether that thread is another one than the one that crashed.
    private var isOther = false
    /// The signal on which the runtime tells where every thread is; the runner sends it when a time limit is over.
    private static let question: Int32 = 3

    init(_ budget: EvidenceBudget) { self.budget = budget }

    /// The signal in SwiftPM's `error: Process '…' exited with unexpected signal code 4`.
    static func signalOfProcess(_ line: LineBytes) -> Int32? {
        guard line.hasPrefix("error: Process '"), let found = line.findLast("' exited with unexpected signal code ")
        else { return nil }
        return StrictNumber.count(line.from(found + 37).bytes).flatMap(Int32.init(exactly:))
    }

    mutating func add(_ line: LineBytes, execution: Int?) {
        if takeFrame(line) { return }
        if let found = line.find("Fatal error: ") {
            message = line.from(found).text
            place = found > 2 ? SourceLocation(runtime: line.upTo(found - 2)) : nil
            messageExecution = execution
            isMessageOfReport = false
        } else if takeSignal(line, execution: execution) {
            return
        } else if let found = line.find("*** Program crashed: ") {
            let rest = line.from(found + 21)
            let reason = rest.upTo(rest.findLast(" at 0x") ?? rest.findLast(" ***") ?? rest.count)
            let own = isMessageOfReport || messageExecution == execution
            budget.count(.execution)
            budget.count(bytes: reason.count + (message?.utf8.count ?? 0))
            crashes.append(
                Crash(
                    message: own ? message : nil, place: own ? place : nil, reason: reason.text, signal: signal,
                    execution: execution
                )
            )
            late = own ? nil : message.map { ($0, place) }
            (message, place, signal, isMessageOfReport) = (nil, nil, nil, false)
        } else if line.hasPrefix("Thread "), line.hasSuffix(":"), let last = crashes.indices.last {
            isOther = !line.hasSuffix(" crashed:")
            guard !isOther || crashes[last].signal == Self.question else { return }
            if isOther {
                budget.count(.name)
                crashes[last].others.append([])
            }
            frames = .expected
        }
    }

    /// Takes the line with which a report begins, and which gets its newline only when the report goes on; `false` for any
    /// other.
    @discardableResult mutating func takeSignal(_ line: LineBytes, execution: Int?) -> Bool {
        guard let found = line.find("*** Signal ") else { return false }
        let digits = line.from(found + 11)
        let end = digits.find(":") ?? 0
        signal = StrictNumber.count(digits.upTo(end).bytes).flatMap(Int32.init(exactly:))
        isMessageOfReport = messageExecution == execution
        return true
    }

    /// All crashes; a fatal error without a report counts unless the test it was said in came to its end.
    func finish(isOpen: (Int) -> Bool) -> [Crash] {
        guard let message, messageExecution.map(isOpen) ?? true else { return crashes }
        return crashes + [Crash(message: message, place: place, execution: messageExecution)]
    }

    private mutating func takeFrame(_ line: LineBytes) -> Bool {
        guard frames != .none else { return false }
        if line.isEmpty {
            frames = frames == .within ? .none : frames
            return true
        }
        guard line.hasPrefix(" ") else {
            frames = .none
            return false
        }
        let isFirst = frames == .expected
        frames = .within
        guard let address = line.find(" 0x"), let last = crashes.indices.last else { return true }
        let frame = line.from(address + 3)
        let function = frame.from(frame.find(" ").map { $0 + 1 } ?? 0)
        if isFirst, let late, Self.saysFatalErrors(function) {
            (crashes[last].message, crashes[last].place) = (late.message, late.place)
        }
        guard let at = line.findLast(" at "), let location = SourceLocation(frame: line.from(at + 4)) else {
            return true
        }
        budget.count(.message)
        budget.count(bytes: frame.count)
        let end = function.find(" + ") ?? function.find(" in ") ?? function.count
        let found = Crash.Frame(function: function.upTo(end).text, location: location)
        if isOther {
            crashes[last].others[crashes[last].others.count - 1].append(found)
        } else {
            crashes[last].frames.append(found)
        }
        return true
    }

    /// Whether a function is one of those of Swift's library that print a fatal error before they end the process.
    private static func saysFatalErrors(_ function: LineBytes) -> Bool {
        let names: [StaticString] = [
            "_assertionFailure(", "_fatalErrorMessage(", "swift_unexpectedError", "swift::fatalError",
        ]
        return names.contains { function.hasPrefix($0) }
    }
}

extension SourceLocation {
    /// Reads `Module/File.swift:8`, as the runtime names the place of a fatal error.
    fileprivate init?(runtime text: LineBytes) {
        guard let colon = text.findLast(":"), let line = StrictNumber.count(text.from(colon + 1).bytes), line > 0
        else { return nil }
        self.init(path: text.upTo(colon).text, line: line)
    }

    /// Reads `/path/File.swift:8:24`, as the backtracer ends a frame.
    fileprivate init?(frame text: LineBytes) {
        guard text.hasPrefix("/"), let colon = text.findLast(":"),
            let last = StrictNumber.count(text.from(colon + 1).bytes), last > 0
        else { return nil }
        let front = text.upTo(colon)
        if let inner = front.findLast(":"), let line = StrictNumber.count(front.from(inner + 1).bytes), line > 0 {
            self.init(path: front.upTo(inner).text, line: line, column: last)
        } else {
            self.init(path: front.text, line: last)
        }
    }
}
