import Testing

@testable import Repository

@Suite struct GitNameTests {
    @Test(arguments: [
        ("Sources/a.swift", "Sources/a.swift"),
        ("生/👨‍👩‍👧.swift", "生/👨‍👩‍👧.swift"),
        ("a\nb\u{1B}[31m\u{202E}", "a\\u{a}b\\u{1b}[31m\\u{202e}"),
        ("back\\slash", "back\\\\slash"),
    ])
    func `a name is shown so that it moves nothing`(name: String, shown: String) {
        #expect(GitName(name).description == shown)
    }

    @Test func `bytes that are no text are shown each by itself`() {
        #expect(GitName(bytes: [0x61, 0xFF, 0x62, 0xE7, 0x94]).description == "a\\xffb\\xe7\\x94")
        #expect(GitName(bytes: [0xFF]).text == nil)
    }

    @Test func `two spellings of one character are two names`() {
        #expect(Set([GitName("caf\u{E9}"), GitName("cafe\u{301}")]).count == 2)
    }

    @Test(arguments: ["", "abc", String(repeating: "g", count: 40), String(repeating: "A", count: 40)])
    func `an object name is 40 or 64 lower-case digits`(text: String) {
        #expect(ObjectID(text) == nil)
    }

    @Test(arguments: [40, 64])
    func `an object name of zeros is none`(count: Int) {
        #expect(ObjectID(String(repeating: "0", count: count))?.isZero == true)
        #expect(ObjectID(String(repeating: "0", count: count - 1) + "1")?.isZero == false)
    }
}
