package import Evidence
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
        /// The number of its suite, in the order of the suites that have cases of their own.
        package var suite = 0
    }

    /// What tells a suite from others of the same file.
    package struct SuiteLabel: Sendable, Equatable {
        /// The names from the outermost suite on, joined by `/`.
        package var path = ""
        /// The machine, or what Playwright writes there: the project.
        package var host = ""
        /// The attribute `package`.
        package var package = ""
    }

    /// The cases in the order of the file, unless they were handed over.
    package var cases: [Case] = []
    /// Failures and errors of a suite outside of any case, with the suite's name.
    package var strayProblems: [Case] = []
    /// Suites whose own counters speak of failures or cases that are not there.
    package var contradictions: [String] = []
    /// How many skipped tests are counted at the top and not written, so that nothing else is known of them.
    package var unwrittenSkips = 0
    /// The suites that have cases of their own.
    package var suites: [SuiteLabel] = []
    /// How many cases, and suites, have a status that is not known here, or an element that may be one, and nothing else that says what
    /// became of them.
    package var unknownStatuses = 0
    /// The first of these, and what it says.
    package var firstUnknownStatus: String?
    /// How many other elements of cases are not known here.
    package var unknownElements = 0
    /// The name of the first of these.
    package var firstUnknownElement: String?
    /// How long all of it took, by what its outermost suites say; `nil` where they say nothing.
    package var duration: Duration?
    /// How many texts are not whole.
    package var cutTexts = 0
    /// How many durations could not be believed.
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
    /// - Throws: `EvidenceError.malformed` or `.truncated` with the place of the fault, `.tooLarge` for more than is kept of a run.
    static func read(
        _ document: LentBytes, file: String, origin: Origin, budget: EvidenceBudget
    ) throws(EvidenceError) -> XUnitReport {
        var cases: [Case] = []
        var report = try read(
            document, file: file, origin: origin, budget: budget, restart: { cases = [] },
            each: {
                cases += $0
                // Here they are kept beside the results, to be compared with them.
                budget.count(.foreignTest, $0.count)
            })
        report.cases = cases
        return report
    }

    /// Reads a report and hands its cases over as they come, so that the memory it takes does not grow with it.
    ///
    /// - Parameter each: Takes the next cases.
    /// - Returns: The report without its cases.
    package static func scan(_ file: String, _ each: ([Case]) -> Void) throws(EvidenceError) -> XUnitReport {
        try FileBytes.mapped(file, limit: RunDirectory.fileLimit) { document throws(EvidenceError) in
            // Nothing is kept.
            let budget = EvidenceBudget(.max)
            return try read(document, file: file, origin: .foreign, budget: budget, restart: {}, each: each)
        }
    }

    /// Reads a report and hands its cases over as they come.
    ///
    /// - Parameters:
    ///   - restart: Is called when the file has to be repaired and read from its beginning: what was handed over is void.
    ///   - each: Takes the next cases.
    /// - Returns: The report without its cases.
    static func read(
        _ document: LentBytes, file: String, origin: Origin, budget: EvidenceBudget, restart: () -> Void,
        each: ([Case]) -> Void
    ) throws(EvidenceError) -> XUnitReport {
        let before = budget.used
        do throws(XMLFault) {
            return try parse(document, origin: origin, budget, each)
        } catch {
            let isOfSwiftPM = origin == .swiftPM || XUnitRepair.isOfSwiftPM(document.bytes)
            guard isOfSwiftPM, !error.isTruncation, !error.isLimit else { throw EvidenceError(error, file: file) }
            restart()
            budget.goBack(to: before)
            // The repaired copy is there beside what is kept.
            budget.count(bytes: document.bytes.count)
            try budget.check(file)
            guard let repaired = XUnitRepair.repair(document) else { throw EvidenceError(error, file: file) }
            do throws(XMLFault) {
                var report = try repaired.bytes.lent { document throws(XMLFault) in
                    try parse(document, origin: origin, budget, each)
                }
                report.repairs = repaired.repairs
                return report
            } catch let again {
                // The place in the file as it was written is of more use than that in the repaired one.
                throw EvidenceError(again.isLimit ? again : error, file: file)
            }
        }
    }

    private static func parse(
        _ document: LentBytes, origin: Origin, _ budget: EvidenceBudget, _ each: ([Case]) -> Void
    ) throws(XMLFault) -> XUnitReport {
        var builder = XUnitBuilder(budget)
        let truncation = try XMLPushParser.parse(
            document, into: &builder, documentType: origin == .foreign ? .skipped : .refused,
            isPartialAllowed: origin == .swiftPM, each: { $0.drain(each) })
        var report = builder.report
        report.cutTexts = builder.cutTexts
        report.truncation = truncation.map { "line \($0.line): \($0.reason)" }
        return report
    }
}
