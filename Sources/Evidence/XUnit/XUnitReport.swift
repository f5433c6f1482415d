package import RunModel

/// What one xUnit XML file says, in the dialects that occur: SwiftPM's two writers, and what other runners write.
package struct XUnitReport: Sendable, Equatable {
    /// Something that went wrong in a case: a `<failure>`, an `<error>` or one of their reruns.
    package struct Problem: Sendable, Equatable {
        /// The `message` attribute, or the first words of the text where there is none.
        package var message: String
        /// The text of the element, such as a stack trace; empty when it only repeats the message.
        package var text: String
    }

    /// One `<testcase>`.
    package struct Case: Sendable, Equatable {
        /// Module, suite and name.
        package var id: TestID
        /// Where the case is declared, where the writer says so.
        package var location: SourceLocation?
        /// How long it took; `nil` where no number is written that can be believed.
        package var duration: Duration?
        /// Failures and errors.
        package var problems: [Problem] = []
        /// Failures of earlier executions after which the case passed, or failed again.
        package var reruns: [Problem] = []
        /// Whether it was skipped or disabled.
        package var isSkipped = false
        /// Why it was skipped.
        package var skipReason: String?
        /// What it printed.
        package var output: String?
    }

    /// The cases in the order of the file; without those in `passed`.
    package var cases: [Case] = []
    /// The cases in which nothing stands and of which nothing is said but how long they took, where these are wanted apart.
    var passed = PassedTests(library: .foreign)
    /// Failures and errors that stand in a suite outside of any case, with the suite's name.
    package var strayProblems: [Case] = []
    /// Suites whose own counters speak of failures or cases that are not there.
    package var contradictions: [String] = []
    /// How many numbers could not be believed.
    package var unreadableNumbers = 0
    /// What had to be repaired before the file could be read.
    package var repairs: [String] = []
    /// Whether a suite begins in it: Swift Testing writes that with the results, when its run has ended.
    package var hasSuite = false
    /// Where and why the file is cut short; `nil` when it is complete.
    package var truncation: String?

    /// Where a report comes from, and so what is forgiven.
    package enum Origin: Sendable {
        /// SwiftPM wrote it in this run: known faults are repaired, a cut file is read as far as it goes.
        case swiftPM
        /// Anybody wrote it: whatever is wrong with it is an error, but for the known faults of SwiftPM where the file
        /// begins as SwiftPM's do.
        case foreign
    }

    /// Reads a report.
    ///
    /// - Throws: `EvidenceError.malformed` or `.truncated` with the place of the fault.
    package static func read(_ bytes: [UInt8], file: String, origin: Origin) throws(EvidenceError) -> XUnitReport {
        try read(bytes, file: file, origin: origin, isApart: false)
    }

    /// Reads another runner's report, the cases that only passed apart from all others.
    static func readApart(_ bytes: [UInt8], file: String) throws(EvidenceError) -> XUnitReport {
        try read(bytes, file: file, origin: .foreign, isApart: true)
    }

    private static func read(
        _ bytes: [UInt8], file: String, origin: Origin, isApart: Bool
    ) throws(EvidenceError) -> XUnitReport {
        do throws(XMLFault) {
            return try parse(bytes, origin: origin, isApart: isApart)
        } catch {
            guard origin == .swiftPM || XUnitRepair.isOfSwiftPM(bytes), !error.isTruncation,
                let repaired = XUnitRepair.repair(bytes)
            else {
                throw EvidenceError(error, file: file)
            }
            do throws(XMLFault) {
                var report = try parse(repaired.bytes, origin: origin, isApart: isApart)
                report.repairs = repaired.repairs
                return report
            } catch _ {
                // The place in the file as it was written is of more use than that in the repaired one.
                throw EvidenceError(error, file: file)
            }
        }
    }

    /// Reads a report piece by piece and keeps none of its cases, so that the memory it takes does not grow with it.
    ///
    /// - Returns: The report without its cases; `nil` for one that only a reader of the whole can judge.
    package static func scan(
        _ file: String, _ take: ([Case]) -> Void
    ) throws(EvidenceError) -> XUnitReport? {
        var builder = XUnitBuilder()
        var scanner = XMLScanner()
        let isRead = try FileBytes.pieces(of: file, limit: RunDirectory.fileLimit) { bytes, isLast in
            guard case .consumed(let count) = scanner.scan(bytes, isLast: isLast, into: &builder) else { return nil }
            builder.drain(take)
            return count
        }
        return isRead && scanner.isComplete ? builder.report : nil
    }

    /// Reads another runner's report piece by piece, the cases that only passed apart from all others.
    ///
    /// - Parameters:
    ///   - size: About how many bytes it has.
    ///   - each: Is lent every piece once, so that whoever copies the file need not read it again.
    /// - Returns: `nil` for one that only a reader of the whole can judge, which may not have been lent to its end then.
    static func scanApart(
        _ file: String, size: Int, each: (UnsafeRawBufferPointer) throws(EvidenceError) -> Void
    ) throws(EvidenceError) -> XUnitReport? {
        var builder = XUnitBuilder(keepingPassedApart: true)
        builder.reserve(size)
        var scanner = XMLScanner()
        let isRead = try FileBytes.pieces(of: file, limit: RunDirectory.fileLimit, each: each) { bytes, isLast in
            guard case .consumed(let count) = scanner.scan(bytes, isLast: isLast, into: &builder) else { return nil }
            return count
        }
        return isRead && scanner.isComplete ? builder.report : nil
    }

    private static func parse(
        _ bytes: [UInt8], origin: Origin, isApart: Bool
    ) throws(XMLFault) -> XUnitReport {
        var empty = XUnitBuilder(keepingPassedApart: isApart)
        empty.reserve(bytes.count)
        var builder = empty
        let isRead = bytes.withUnsafeBufferPointer { XMLScanner.parse($0, into: &builder) }
        return isRead ? builder.report : try parsePlainly(bytes, origin: origin, into: empty)
    }

    /// Reads with the general parser, which knows every fault by its place and name.
    static func parsePlainly(
        _ bytes: [UInt8], origin: Origin, into empty: XUnitBuilder = XUnitBuilder()
    ) throws(XMLFault) -> XUnitReport {
        var builder = empty
        let truncation = try bytes.withUnsafeBufferPointer { buffer throws(XMLFault) in
            try XMLPushParser.parse(
                buffer, into: &builder, documentType: origin == .foreign ? .skipped : .refused,
                isPartialAllowed: origin == .swiftPM
            )
        }
        var report = builder.report
        report.truncation = truncation.map { "line \($0.line): \($0.reason)" }
        return report
    }
}

extension EvidenceError {
    /// The fault of a document, with its file.
    init(_ fault: XMLFault, file: String) {
        self =
            fault.isTruncation
            ? .truncated(file: file, line: fault.line, reason: fault.reason)
            : .malformed(file: file, line: fault.line, column: fault.column, reason: fault.reason)
    }
}
