// Compiled at run time, once per toolchain, into a library that the test process loads. It records what XCTest does,
// one JSON object per line, each in one write: if the process crashes, the test that started and never ended is the one
// that crashed it. XCTest does not see issues of Swift Testing, so this observer lets the running test fail for them.
// It also records failures while no test runs, as in a class's `setUp` and `tearDown`.
import Foundation
import XCTest

struct Record: Encodable {
    var ev: String
    var t = Date().timeIntervalSince1970
    var cls: String?
    var name: String?
    var desc: String?
    var file: String?
    var line: Int?
    var dur: Double?
    var skipped: Bool?
    var failures: Int?
    var unexpected: Int?
    var suite: String?
    /// Whether assertions at the end of the test may have been lost, because XCTest had no test to fail.
    var deaf: Bool?

    init(_ event: String) { ev = event }

    init(_ event: String, of test: XCTestCase) {
        ev = event
        // The name is `Class.method`; the class is written with its module instead.
        cls = String(reflecting: type(of: test))
        name = test.name.firstIndex(of: ".").map { String(test.name[test.name.index(after: $0)...]) } ?? test.name
    }

    func with(_ description: String, _ file: String?, _ line: Int) -> Record {
        var record = self
        (record.desc, record.file, record.line) = (description, file, line)
        return record
    }
}

final class Observer: NSObject, XCTestObservation, @unchecked Sendable {
    private let lock = NSLock()
    private let encoder = JSONEncoder()
    private let path: String
    private var descriptor: Int32 = -1
    /// The tests that run: one, and those that it runs itself, from the outermost to the innermost.
    private var running: [XCTestCase] = []
    /// The classes whose suites run; for a suite of suites, its name.
    private var suites: [String] = []
    private let standIn = StandIn(name: "kanmon", testClosure: { _ in })
    private var current: CurrentTestCase?
    /// Functions of the preloaded library. They tell it which test the coverage counters belong to.
    private let testBegins = Observer.function(
        "kanmon_test_begins", (@convention(c) (UnsafePointer<CChar>) -> Void).self)
    private let testEnded = Observer.function("kanmon_test_ended", (@convention(c) () -> Void).self)

    static func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
        dlsym(dlopen(nil, RTLD_NOW), name).map { unsafeBitCast($0, to: type) }
    }

    init(path: String) {
        self.path = path
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    /// Begins to record failures that happen while no test runs.
    func listen() -> Bool {
        standIn.heard = { [unowned self] description, file, line in
            var record = Record(areForeignAssertionsIgnored ? "ignored" : "fail")
            record.cls = lock.withLock { suites.last }
            write(record.with(description, file, line))
        }
        current = CurrentTestCase(standIn)
        current?.set(to: standIn)
        return current != nil
    }

    /// Takes an issue of Swift Testing that was recorded outside its own tests: the XCTest test that runs fails for it.
    func take(_ issue: ForeignIssue) {
        guard issue.isIssue else { return }
        let test = lock.withLock { running.last }
        let isFailure = issue.isFailure && !issue.isKnown
        if isFailure, !areForeignAssertionsIgnored, let test {
            // XCTest counts and prints it, and ends with status 1.
            test.recordFailure(
                withDescription: issue.description, inFile: issue.file ?? "<EXPR>", atLine: issue.line, expected: true)
            return
        }
        let event = issue.isKnown ? "known" : !isFailure ? "warn" : areForeignAssertionsIgnored ? "ignored" : "fail"
        var record = test.map { Record(event, of: $0) } ?? Record(event)
        if test == nil { record.cls = lock.withLock { suites.last } }
        write(record.with(issue.description, issue.file, issue.line))
    }

    func write(_ record: Record) {
        lock.lock()
        defer { lock.unlock() }
        // Opened with the first record: a process that runs no XCTest leaves no file.
        if descriptor < 0 { descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644) }
        guard descriptor >= 0, var line = try? encoder.encode(record) else { return }
        line.append(UInt8(ascii: "\n"))
        line.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Makes assertions count again where XCTest ignores them: for the running test, or for the stand-in if none runs.
    fileprivate func hear() {
        let test = lock.withLock { running.last }
        current?.set(to: test ?? standIn)
    }

    func testBundleWillStart(_ bundle: Bundle) {
        var record = Record("bundleStart")
        record.name = bundle.bundlePath
        write(record)
    }

    func testBundleDidFinish(_ bundle: Bundle) {
        write(Record("bundleEnd"))
        hear()
    }

    func testSuiteWillStart(_ suite: XCTestSuite) {
        var record = Record("suiteStart")
        record.suite = suite.name
        write(record)
        let name = suite.tests.lazy.compactMap { $0 as? XCTestCase }.first.map { String(reflecting: type(of: $0)) }
        lock.withLock { suites.append(name ?? suite.name) }
        hear()
        // After its last test comes the class's `tearDown`.
        if name != nil { suite.addTest(LastOfSuite(hear)) }
    }

    func testSuiteDidFinish(_ suite: XCTestSuite) {
        var record = Record("suiteEnd")
        record.suite = suite.name
        write(record)
        lock.withLock { _ = suites.popLast() }
        hear()
    }

    func testCaseWillStart(_ test: XCTestCase) {
        lock.withLock { running.append(test) }
        let record = Record("start", of: test)
        write(record)
        testBegins?(record.recordedName)
    }

    func testCase(
        _ test: XCTestCase, didFailWithDescription description: String, inFile file: String?, atLine line: Int
    ) {
        write(Record("fail", of: test).with(description, file, line))
    }

    /// Records the expectations of the test that are not fulfilled, with the places where they were created. Another
    /// thread calls this when a time limit is over. XCTest has no API for them, so they are read by reflection.
    func tellWaits() {
        guard let test = lock.withLock({ running.last }) else { return }
        var mirror = Mirror(reflecting: test)
        while mirror.subjectType != XCTestCase.self {
            guard let parent = mirror.superclassMirror else { return }
            mirror = parent
        }
        let all = mirror.descendant("_allExpectations") as? [XCTestExpectation] ?? []
        for expectation in all.map({ Mirror(reflecting: $0) })
        where expectation.descendant("isFulfilled") as? Bool == false {
            var record = Record("wait", of: test)
            record.desc = expectation.descendant("_expectationDescription") as? String
            record.file = expectation.descendant("creationSourceLocation", "file") as? String
            record.line = (expectation.descendant("creationSourceLocation", "line") as? UInt).flatMap {
                Int(exactly: $0)
            }
            write(record)
        }
    }

    func testCaseDidFinish(_ test: XCTestCase) {
        testEnded?()
        lock.withLock { _ = running.popLast() }
        var record = Record("end", of: test)
        if let run = test.testRun as? XCTestCaseRun {
            record.dur = run.totalDuration
            record.skipped = run.hasBeenSkipped
            record.failures = run.failureCount
            record.unexpected = run.unexpectedExceptionCount
        }
        // If the test ran another one without a suite, XCTest has no test to fail from then on.
        if current?.isSet(to: test) == false { record.deaf = true }
        write(record)
    }
}

/// Is added after the last test of a class, because XCTest has no test case to fail during the class's `tearDown`.
private final class LastOfSuite: XCTest {
    private let reached: () -> Void

    init(_ reached: @escaping () -> Void) { self.reached = reached }

    override var name: String { "" }
    override var testCaseCount: Int { 0 }
    override var testRunClass: AnyClass? { NoRun.self }
    override func perform(_ run: XCTestRun) { reached() }

    private final class NoRun: XCTestRun {
        override var totalDuration: TimeInterval { 0 }
        override var testCaseCount: Int { 0 }
    }
}
