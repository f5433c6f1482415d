import Foundation

/// Reads the lists of tests, as far as it takes to know that they are lists, and to count.
enum TestLists {
    /// The number of tests in what `--dump-tests-json` printed; `nil` when it is something else.
    static func count(xctestList: Data) -> Int? {
        struct Entry: Decodable {
            var name: String?
            var tests: [Entry]?

            var cases: Int { tests.map { $0.reduce(0) { $0 + $1.cases } } ?? 1 }
        }
        guard let root = try? JSONDecoder().decode(Entry.self, from: xctestList), root.tests != nil else { return nil }
        return root.cases
    }

    /// The number of test functions in an event stream; `nil` when a line is no record.
    static func count(swiftTestingList: Data) -> Int? {
        struct Line: Decodable {
            struct Payload: Decodable { var kind: String }
            var kind: String
            var payload: Payload
        }
        var count = 0
        for line in swiftTestingList.split(separator: UInt8(ascii: "\n")) {
            guard let record = try? JSONDecoder().decode(Line.self, from: line) else { return nil }
            if record.kind == "test", record.payload.kind == "function" { count += 1 }
        }
        return count
    }
}
