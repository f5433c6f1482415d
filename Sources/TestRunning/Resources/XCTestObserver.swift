// Compiled at run time, once per toolchain, into a library that the test process loads. It writes down what XCTest does,
// one JSON object a line, each in one write: what was started and never ended is the test that took the process down.
import Foundation
import XCTest

private struct Record: Encodable {
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

    init(_ event: String) { ev = event }

    init(_ event: String, of test: XCTestCase) {
        ev = event
        // The name is `Class.method`; the class is written with its module instead.
        cls = String(reflecting: type(of: test))
        name = test.name.firstIndex(of: ".").map { String(test.name[test.name.index(after: $0)...]) } ?? test.name
    }
}

private final class Observer: NSObject, XCTestObservation, @unchecked Sendable {
    private let lock = NSLock()
    private let encoder = JSONEncoder()
    private let path: String
    private var descriptor: Int32 = -1
    private var running: XCTestCase?
    /// Functions of the preloaded library, by which it knows whose counters it sees.
    private let testBegins = Observer.function(
        "kanmon_test_begins", (@convention(c) (UnsafePointer<CChar>) -> Void).self)
    private let testEnded = Observer.function("kanmon_test_ended", (@convention(c) () -> Void).self)

    private static func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
        dlsym(dlopen(nil, RTLD_NOW), name).map { unsafeBitCast($0, to: type) }
    }

    init(path: String) {
        self.path = path
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    private func write(_ record: Record) {
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

    func testBundleWillStart(_ bundle: Bundle) {
        var record = Record("bundleStart")
        record.name = bundle.bundlePath
        write(record)
    }

    func testBundleDidFinish(_ bundle: Bundle) { write(Record("bundleEnd")) }

    func testSuiteWillStart(_ suite: XCTestSuite) {
        var record = Record("suiteStart")
        record.suite = suite.name
        write(record)
    }

    func testSuiteDidFinish(_ suite: XCTestSuite) {
        var record = Record("suiteEnd")
        record.suite = suite.name
        write(record)
    }

    func testCaseWillStart(_ test: XCTestCase) {
        lock.withLock { running = test }
        let record = Record("start", of: test)
        write(record)
        testBegins?("\(record.cls ?? "")/\(record.name ?? "")")
    }

    func testCase(
        _ test: XCTestCase, didFailWithDescription description: String, inFile file: String?, atLine line: Int
    ) {
        var record = Record("fail", of: test)
        record.desc = description
        record.file = file
        record.line = line
        write(record)
    }

    /// Writes down the expectations that the test made and that are not fulfilled, with the places where it made them. Another
    /// thread asks, when a time limit is over; XCTest tells nobody, but for what it has in memory.
    func tellWaits() {
        guard let test = lock.withLock({ running }) else { return }
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
        lock.withLock { running = nil }
        var record = Record("end", of: test)
        if let run = test.testRun as? XCTestCaseRun {
            record.dur = run.totalDuration
            record.skipped = run.hasBeenSkipped
            record.failures = run.failureCount
            record.unexpected = run.unexpectedExceptionCount
        }
        write(record)
    }
}

private var observer: Observer?

/// Called by the preloaded library before `main`.
@_cdecl("kanmon_observer_install")
public func install() {
    guard let path = ProcessInfo.processInfo.environment["KANMON_OBSERVER_RECORDS"] else { return }
    let created = Observer(path: path)
    observer = created
    // The center keeps its observers for as long as the process lives.
    XCTestObservationCenter.shared.addTestObserver(created)
}

/// Called by the preloaded library, from a thread of its own, when a time limit is over.
@_cdecl("kanmon_observer_tell")
public func tell() { observer?.tellWaits() }
