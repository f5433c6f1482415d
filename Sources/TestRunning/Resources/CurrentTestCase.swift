// A part of both libraries that watch assertions. XCTest's assertions fail the test case that runs now. While none
// runs, they do nothing. XCTest keeps that test case in a private variable, which is found here by its value, and set.
import Foundation
import XCTest

/// The current test case while no test runs. It receives the failures of that time.
final class StandIn: XCTestCase {
    /// Takes a description, a file and a line.
    var heard: ((String, String, Int) -> Void)?
    fileprivate var whileCurrent: (() -> Void)?

    override var testRunClass: AnyClass? { SilentRun.self }

    override func invokeTest() { whileCurrent?() }

    override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
        heard?(description, filePath, lineNumber)
    }
}

/// A run of a test case that calls no observer.
private final class SilentRun: XCTestCaseRun {
    override func start() {}
    override func stop() {}
}

/// XCTest's variable with the test case that runs now.
struct CurrentTestCase {
    private let place: UnsafeMutablePointer<UnsafeMutableRawPointer?>

    /// Finds the variable: XCTest sets it while it performs a test case, and clears it afterwards. `nil` if it cannot
    /// be found.
    init?(_ standIn: StandIn) {
        typealias Finding =
            @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "kanmon_find_word") else { return nil }
        let find = unsafeBitCast(symbol, to: Finding.self)
        let library = unsafeBitCast(XCTestCase.self as AnyClass, to: UnsafeRawPointer.self)
        let own = Unmanaged.passUnretained(standIn).toOpaque()
        var found: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        standIn.whileCurrent = { found = find(library, own) }
        standIn.perform(SilentRun(test: standIn))
        standIn.whileCurrent = nil
        guard let found, found.pointee == nil else { return nil }
        place = found
    }

    /// Whether assertions fail this test case.
    func isSet(to test: XCTestCase) -> Bool { place.pointee == Unmanaged.passUnretained(test).toOpaque() }

    /// Makes assertions fail this test case until XCTest sets another one.
    func set(to test: XCTestCase) {
        guard !isSet(to: test) else { return }
        let before = place.pointee
        // The variable owns what it holds.
        place.pointee = Unmanaged.passRetained(test).toOpaque()
        if let before { Unmanaged<XCTestCase>.fromOpaque(before).release() }
    }
}

/// Whether assertions of the other library fail nothing, as in `swift test`.
var areForeignAssertionsIgnored = false

/// Reads how the settings want it, as long as the environment says so: the preloaded library takes its variables out of it.
func readInterop() {
    areForeignAssertionsIgnored = getenv("KANMON_INTEROP").map { String(cString: $0) } == "swift-test"
}
