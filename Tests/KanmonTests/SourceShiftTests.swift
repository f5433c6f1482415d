import Testing

@testable import kanmon

@Suite struct SourceShiftTests {
    private let old = Array("a\nb\nc\nd\n".utf8)

    @Test(arguments: [
        ("a\nb\nc\nd\n", [1, 2, 3, 4]), ("new\na\nb\nc\nd\n", [nil, 1, 2, 3, 4]), ("a\nd\n", [1, 4]),
        ("a\nb\nx\nd\n", [1, 2, nil, 4]),
        ("", [5]),
    ])
    func `a line is where it was`(text: String, places: [Int32?]) {
        for (index, place) in places.enumerated() {
            #expect(SourceShift.line(Int32(index + 1), in: Array(text.utf8), was: old) == place)
        }
        #expect(SourceShift.line(100, in: Array("\(text)z\n".utf8), was: old) == nil)
    }

    @Test func `a place is a path, with a line or without`() {
        #expect(WhoCommand.parts(of: "Sources/A.swift:12") == ("Sources/A.swift", 12))
        #expect(WhoCommand.parts(of: "Sources/A.swift") == ("Sources/A.swift", nil))
        #expect(WhoCommand.parts(of: "Sources/A.swift:0") == ("Sources/A.swift:0", nil))
        #expect(WhoCommand.parts(of: "Tests.Suite/a(b:)") == ("Tests.Suite/a(b:)", nil))
    }
}
