import RunModel

/// The test cases that a bundle lists with `--dump-tests-json`.
struct XCTestList: Equatable {
    /// In the order of the list, which is that of running.
    var tests: [TestID] = []

    /// Reads a list; text that a test bundle prints while it loads is passed over.
    ///
    /// The order of the two keys differs from one process to the next: Foundation writes them as they are hashed.
    static func read(_ bytes: [UInt8], file: String) throws(EvidenceError) -> XCTestList {
        for start in bytes.indices where Self.openings.contains(where: { bytes[start...].starts(with: $0) }) {
            if let list = try read(bytes, from: start, file: file) { return list }
        }
        throw .malformed(file: file, line: 1, column: 1, reason: "there is no list of tests")
    }

    private static let openings = ["{\"tests\"", "{\"name\""].map { Array($0.utf8) }

    /// Reads the list that may begin at `start`; `nil` when it is something else that was printed.
    private static func read(_ bytes: [UInt8], from start: Int, file: String) throws(EvidenceError) -> XCTestList? {
        var list = XCTestList()
        var isList = false
        do throws(JSONFault) {
            try bytes.withJSONCursor { cursor throws(JSONFault) in
                cursor.offset = start
                isList = try list.add(&cursor, parent: "")
            }
        } catch {
            // A list that is cut short must not give way to a part of itself.
            guard error.isTruncation else { return nil }
            let place = TextPosition(of: error.offset, in: bytes)
            throw .truncated(file: file, line: place.line, reason: error.reason)
        }
        return isList ? list : nil
    }

    /// Reads one node: a bundle, a class, or a test case where it has nothing below it; answers whether it has.
    @discardableResult
    private mutating func add(_ cursor: inout JSONCursor, parent: String) throws(JSONFault) -> Bool {
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
            tests.append(TestPath.identity(className: parent, name: name))
            return false
        }
        let end = cursor.offset
        cursor.offset = children
        try cursor.array { cursor throws(JSONFault) in _ = try add(&cursor, parent: name) }
        cursor.offset = end
        return true
    }
}
