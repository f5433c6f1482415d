import Evidence
import RunModel

/// The test cases that a bundle lists with `--dump-tests-json`.
struct XCTestList: Equatable {
    /// In the order of the list, which is that of running.
    var tests: [TestID] = []

    /// Reads a list; text that a test bundle prints while it loads is passed over.
    ///
    /// The order of the two keys differs from one process to the next: Foundation writes them as they are hashed.
    ///
    /// - Throws: `EvidenceError.malformed` where there is no list, `.truncated` for a part of one, `.tooLarge` for more than is kept of a
    ///   run.
    static func read(_ bytes: [UInt8], file: String) throws(EvidenceError) -> XCTestList {
        try bytes.lent { document throws(EvidenceError) in
            try read(document, file: file, budget: EvidenceBudget())
        }
    }

    /// The same of bytes that are lent.
    static func read(
        _ document: LentBytes, file: String, budget: EvidenceBudget
    ) throws(EvidenceError) -> XCTestList {
        let text = LineBytes(document.bytes)
        var start = 0
        while start < text.count {
            // Piece by piece, so that the memory of what was looked at can be given back.
            let end = min(text.count, start + (1 << 20))
            guard let found = text[start..<end].find("{\"") else {
                // The brace may be the last byte of the piece.
                start = end < text.count ? end - 1 : end
                document.release(start)
                continue
            }
            let rest = text.from(start + found)
            if openings.contains(where: { rest.hasPrefix($0) }),
                let list = try read(document, from: start + found, file: file, budget)
            {
                return list
            }
            start += found + 1
        }
        throw .malformed(file: file, line: 1, column: 1, reason: "there is no list of tests")
    }

    private static let openings: [StaticString] = ["{\"tests\"", "{\"name\""]

    /// Reads the list that may begin at `start`; `nil` when it is something else that was printed.
    private static func read(
        _ document: LentBytes, from start: Int, file: String, _ budget: EvidenceBudget
    ) throws(EvidenceError) -> XCTestList? {
        var list = XCTestList()
        var isList = false
        var follower: UInt8?
        let before = budget.used
        do throws(JSONFault) {
            var cursor = JSONCursor(document)
            cursor.offset = start
            isList = try list.add(&cursor, parent: "", budget)
            follower = cursor.next()
        } catch {
            guard !error.isLimit else { throw .tooLarge(file: file, reason: error.reason) }
            budget.goBack(to: before)
            // A list that is cut short must not give way to a part of itself.
            guard error.isTruncation else { return nil }
            let place = TextPosition(of: error.offset, in: document)
            throw .truncated(file: file, line: place.line, reason: error.reason)
        }
        guard isList else {
            budget.goBack(to: before)
            return nil
        }
        // Nor must one in which something else is printed. A part is written without a space among its like.
        let isPart = follower == UInt8(ascii: ",") || follower == UInt8(ascii: "]")
        let leader = start > 0 ? document.bytes[start - 1] : 0
        guard !isPart, leader != UInt8(ascii: ","), leader != UInt8(ascii: "[") else {
            let place = TextPosition(of: start, in: document)
            throw .malformed(
                file: file, line: place.line, column: place.column, reason: "this is a part of a list of tests")
        }
        return list
    }

    /// Reads one node: a bundle, a class, or a test case where it has nothing below it; returns whether it has.
    @discardableResult
    private mutating func add(
        _ cursor: inout JSONCursor, parent: String, _ budget: EvidenceBudget
    ) throws(JSONFault) -> Bool {
        // The name may come behind what is below it; where that is, it is read a second time.
        var name = ""
        var children: Int?
        try cursor.object { cursor, key throws(JSONFault) in
            switch key {
            case "name": name = try cursor.string()
            case "tests":
                _ = cursor.next()
                children = cursor.offset
                try cursor.skip()
            default: try cursor.skip()
            }
        }
        guard let children else {
            let id = TestPath.identity(className: parent, name: name)
            tests.append(id)
            budget.count(.listedTest)
            budget.count(id)
            try cursor.check(budget)
            return false
        }
        let end = cursor.offset
        cursor.offset = children
        try cursor.array { cursor throws(JSONFault) in _ = try add(&cursor, parent: name, budget) }
        cursor.offset = end
        return true
    }
}
