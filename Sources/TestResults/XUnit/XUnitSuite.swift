import Evidence

/// A suite that is open: what its attributes claim, and what was found in it so far.
///
/// Counters are never trusted. One that speaks of more than is there shows a loss: of a case, or of what became of one.
struct XUnitSuite {
    /// How much there is of each kind.
    struct Count {
        var cases = 0
        /// Failures and errors, those of executions before the last one included: some runners count these too.
        var problems = 0
        /// Cases that were skipped, and further reasons for which one was.
        var skips = 0
        /// Executions before the last one of a case.
        var reruns = 0

        /// Adds a case, with how many reasons it names for which it was skipped.
        mutating func take(_ entry: XUnitReport.Case, skips: Int) {
            cases += 1
            problems += entry.problems.count + entry.reruns.count
            reruns += entry.reruns.count
            if entry.isSkipped { self.skips += max(1, skips) }
        }

        static func + (left: Count, right: Count) -> Count {
            Count(
                cases: left.cases + right.cases, problems: left.problems + right.problems,
                skips: left.skips + right.skips, reruns: left.reruns + right.reruns)
        }
    }

    /// The name; empty where it has none.
    let name: String
    /// The names from the outermost suite on, and what else tells apart suites of one name.
    let label: XUnitReport.SuiteLabel
    /// Its number among the suites that have cases of their own, once it has one.
    var number: Int?
    /// What is in it, inner suites included.
    var found = Count()
    /// Whether every case says that it was `run`, as doctest's do.
    var isAllRun = true
    /// How many suites are directly in it, and how many of these count their tests.
    var inner = (all: 0, counted: 0)
    /// How long it took by its own word; `nil` where nothing that can be believed is told.
    private let time: Duration?
    /// How long the suites in it took together.
    private var innerTime: Duration = .zero
    /// How long it took, or what is in it.
    var duration: Duration? { time ?? (innerTime > .zero ? innerTime : nil) }
    /// What its attributes count.
    private let counters: XUnitCounters
    /// What it says of itself as a whole, such as `status="failed"`.
    let status: XUnitStatus
    /// What its tests are where they are no cases.
    private let unit: Unit

    private enum Unit { case cases, assertions, maybeAssertions }

    init(_ attributes: XMLAttributes, in outer: XUnitSuite?) {
        name = attributes.text("name") ?? ""
        label = XUnitReport.SuiteLabel(
            path: [outer?.label.path ?? "", name].filter { !$0.isEmpty }.joined(separator: "/"),
            host: attributes.text("hostname") ?? "", package: attributes.text("package") ?? "")
        counters = XUnitCounters(attributes)
        unit = Self.unit(attributes)
        // Some write 0 where they do not know.
        time = attributes["time"].flatMap { StrictNumber.groupedSeconds($0) }.flatMap { $0 > .zero ? $0 : nil }
        status = XUnitStatus(ofSuite: attributes)
    }

    /// Takes what a suite in it came to.
    mutating func take(_ suite: XUnitSuite) {
        found = found + suite.told
        isAllRun = isAllRun && suite.isAllRun
        inner.all += 1
        if suite.counters.tests != nil { inner.counted += 1 }
        innerTime += suite.duration ?? .zero
    }

    /// Catch2 and doctest count assertions where others count tests.
    ///
    /// Catch2 names every host `tbd`; doctest writes these four attributes in this order and no other.
    private static func unit(_ attributes: XMLAttributes) -> Unit {
        if attributes["hostname"]?.equals("tbd") == true { return .assertions }
        let order = ["name", "errors", "failures", "tests"] as [StaticString]
        var (count, isSame) = (0, true)
        attributes.forEach { name, _ in
            isSame = isSame && count < order.count && name.equals(order[count])
            count += 1
        }
        return isSame && count == order.count ? .maybeAssertions : .cases
    }

    /// What the attributes speak of and the suite does not have, in words.
    ///
    /// - Parameter isRoot: Whether it is the outermost element.
    func contradictions(isRoot: Bool) -> [String] {
        var words: [String] = []
        let (lost, lostSkips) = missing
        if let problems = counters.problems, problems > found.problems {
            words.append("counts \(problems) failures, its cases show \(Self.number(found.problems))")
        }
        if let otherProblems = counters.otherProblems, otherProblems.count > found.problems {
            words.append(
                "says \(otherProblems.name)=\"\(otherProblems.count)\", its cases show \(Self.number(found.problems)) "
                    + "that failed")
        }
        if case .failed(let failure) = status, found.problems == 0, counters.problems ?? 0 == 0 {
            words.append("says \(failure), its cases show no failure")
        }
        words += counters.doubts(problems: found.problems, skips: found.skips)
        guard unwrittenSkips(isRoot: isRoot) == 0 else { return words }
        if lost > 0 {
            words.append("counts \(counters.tests ?? 0) tests, there are \(Self.number(found.cases)) in it")
        }
        if lostSkips > 0 {
            words.append("counts \(counters.skips ?? 0) skipped tests, there are \(Self.number(found.skips)) in it")
        }
        return words
    }

    /// How many skipped tests nothing but the outermost element speaks of, such as pending ones that mocha counts there and does not
    /// write; 0 where it, or a suite in it, lacks anything else.
    func unwrittenSkips(isRoot: Bool) -> Int {
        let (lost, lostSkips) = missing
        return isRoot && inner.all > 0 && inner.all == inner.counted && lost == lostSkips ? lost : 0
    }

    /// How many more tests, and skips, its attributes speak of than there are.
    private var missing: (tests: Int, skips: Int) {
        let countsCases = unit == .cases || unit == .maybeAssertions && !(isAllRun && found.cases > 0)
        // Surefire counts every execution: two flakes and what passed then are three tests in one case.
        let countsExecutions = found.reruns > 0 && counters.tests == found.cases + found.reruns
        let lost = countsCases && !countsExecutions ? max(0, (counters.tests ?? 0) - found.cases) : 0
        return (lost, max(0, (counters.skips ?? 0) - found.skips))
    }

    /// What the suites around it have of it: where it lacks something they would lack the same.
    var told: Count {
        let cases = max(found.cases, unit == .cases ? counters.tests ?? 0 : 0)
        return Count(
            cases: cases, problems: max(found.problems, counters.problems ?? 0, counters.otherProblems?.count ?? 0),
            skips: max(found.skips, counters.skips ?? 0),
            // Executions that were counted as cases are not counted again.
            reruns: max(0, found.reruns - (cases - found.cases)))
    }

    private static func number(_ count: Int) -> String { count == 0 ? "none" : String(count) }
}
