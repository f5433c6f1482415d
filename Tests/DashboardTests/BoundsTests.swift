import Access
import Evidence
import Foundation
import HTTPTypes
import RunModel
import TestSupport
import Testing

@testable import Dashboard

/// What one token or reader may take of the server.
@Suite struct BoundsTests {
    private let tokens: TokenFolder

    init() throws { tokens = try TokenFolder() }

    private func token(_ name: String) throws -> AccessToken {
        let secret = try tokens.token(name, .read)
        return try #require(try TokenRegistry(tokens.file).token(of: secret, at: SampleRuns.moment))
    }

    @Test func `ten thousand sessions of one token end none of another`() throws {
        let (anna, ben) = (try token("anna"), try token("ben"))
        let sessions = SessionList()
        let id = sessions.open(anna, at: SampleRuns.moment)
        let first = sessions.open(ben, at: SampleRuns.moment)
        var last = ""
        for _ in 0..<10_000 { last = sessions.open(ben, at: SampleRuns.moment) }
        #expect(sessions.find(id, at: SampleRuns.moment) == anna)
        #expect(sessions.find(last, at: SampleRuns.moment) == ben)
        #expect(sessions.find(first, at: SampleRuns.moment) == nil)
    }

    @Test func `answers that wait to be read have room for all and for one reader`() {
        let memory = AnswerMemory(most: 100)
        let first = memory.take(20, for: "a")
        #expect(first != nil)
        // A quarter for one reader.
        #expect(memory.take(6, for: "a") == nil)
        var others = (0..<4).map { memory.take(20, for: "other \($0)") }
        #expect(others.allSatisfy { $0 != nil })
        #expect(memory.take(1, for: "b") == nil)
        #expect(memory.figures.bytes == 100)
        #expect(memory.figures.refused == 2)
        others = []
        #expect(memory.figures.bytes == 20)
        #expect(memory.take(5, for: "a") != nil)
        withExtendedLifetime(first) {}
    }

    @Test func `one reader follows runs in a quarter of the seats, and nobody is kept out by that`() {
        let seats = LiveSeats(8)
        var own = (0..<3).map { _ in seats.take(for: "ben") }
        #expect(own.map { $0 != nil } == [true, true, false])
        let anna = seats.take(for: "anna")
        #expect(anna != nil)
        own.removeFirst()
        let again = seats.take(for: "ben")
        #expect(again != nil)
        // Those who cannot be told from each other share all that is left.
        let others = (0..<9).map { _ in seats.take(for: nil) }
        #expect(others.count { $0 != nil } == 5)
        #expect(seats.take(for: "carl") == nil)
        withExtendedLifetime((own, anna, again)) {}
    }

    @Test func `the first answer of all fits whatever its size`() {
        let memory = AnswerMemory(most: 100)
        let large = memory.take(1_000, for: "a")
        #expect(large != nil)
        #expect(memory.take(1, for: "b") == nil)
        withExtendedLifetime(large) {}
    }

    @Test func `files that wait for their run are counted until it comes, and for a day`() {
        let (files, moment) = (PendingFiles(), SampleRuns.moment)
        let half = PendingFiles.mostBytes / 2
        #expect(files.admit("a", half, of: "t", at: moment))
        #expect(files.admit("b", half, of: "t", at: moment))
        // The same file again is one file.
        #expect(files.admit("b", half, of: "t", at: moment))
        #expect(!files.admit("c", 1, of: "t", at: moment))
        #expect(files.admit("c", half, of: "other", at: moment))
        files.settle(["a"], of: "t")
        #expect(files.admit("c", half, of: "t", at: moment.addingTimeInterval(80_000)))
        #expect(!files.admit("d", half, of: "t", at: moment.addingTimeInterval(80_000)))
        #expect(files.admit("d", half, of: "t", at: moment.addingTimeInterval(90_000)))
    }

    @Test func `a list of numbers is refused before it is decoded`() async throws {
        let secret = try tokens.token("laptop", .submit)
        let dashboard = try tokens.dashboard()
        let numbers =
            "{\"schemaVersion\":1,\"project\":\"kit\",\"files\":[" + String(repeating: "1,", count: 200_000) + "1]}"
        let reply = try await dashboard.send(
            .put, "/api/v1/runs/\(SampleRuns.id(1))", Array(numbers.utf8), token: secret)
        #expect(reply.status == 413)
        #expect(reply.text.contains("more than 120000 values"))
    }
}
