import Foundation
import Testing

@testable import TestRunning

@Suite struct TestListsTests {
    @Test func `both lists are counted by test`() throws {
        #expect(TestLists.count(xctestList: try Fixture.bytes("mixed-xctest-list.json")) == 3)
        #expect(TestLists.count(swiftTestingList: try Fixture.bytes("mixed-swift-testing-list.jsonl")) == 3)
    }

    @Test func `an empty list is a list`() {
        #expect(TestLists.count(xctestList: Data(#"{"name":"All tests","tests":[]}"#.utf8)) == 0)
        #expect(TestLists.count(swiftTestingList: Data()) == 0)
    }

    @Test func `what a hand-written main prints is no list`() {
        #expect(TestLists.count(xctestList: Data("Test Suite 'All tests' started\n".utf8)) == nil)
        #expect(TestLists.count(xctestList: Data("{}".utf8)) == nil)
        #expect(TestLists.count(swiftTestingList: Data("-> run\n".utf8)) == nil)
    }

    @Test func `a list cut anywhere is no list`() throws {
        let bytes = try Fixture.bytes("mixed-xctest-list.json")
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
        for length in 0..<end { #expect(TestLists.count(xctestList: bytes.prefix(length)) == nil) }
    }
}
