import Kit
import Support
import Testing
import XCTest

final class OldTests: XCTestCase {
    func testAnnounces() { withKnownIssue { #expect(one() == 2) } }
    func testExpects() { #expect(one() == 2) }
    func testExpectsInATask() async { await Task.detached { #expect(one() == 3) }.value }
    func testPasses() { #expect(one() == 1) }
    func testRecords() { Issue.record("recorded") }
    func testWarns() { Issue.record("mind this", severity: .warning) }
}

final class SetUpTests: XCTestCase {
    override class func setUp() { XCTFail("set up") }
    override class func tearDown() { #expect(one() == 4) }
    func testNothing() {}
}

final class NestingTests: XCTestCase {
    func testFailsAfterASuite() {
        suite(XCTestSuite(name: "inner"))
        XCTFail("heard")
    }
    func testIsDeafAfterATest() {
        InnerTests(name: "testInner", testClosure: { _ in }).run()
        XCTFail("unheard")
    }
    func testRunsASuite() { suite(XCTestSuite(name: "inner")) }

    private func suite(_ inner: XCTestSuite) {
        inner.addTest(InnerTests(name: "testInner", testClosure: { _ in XCTFail("inner") }))
        inner.run()
    }
}

class InnerTests: XCTestCase {
    func testInner() {}
}

final class HeirTests: InnerTests {}
final class ContractTests: Contract {}
