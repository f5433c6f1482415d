import RunModel
import Testing

@Suite struct PercentEncodingTests {
    @Test func `every byte that is not unreserved is encoded, and slashes where they have a meaning`() {
        let text = "a/b c~é-._%+&=?#"
        #expect(PercentEncoding.encode(text) == "a/b%20c~%C3%A9-._%25%2B%26%3D%3F%23")
        #expect(PercentEncoding.encode(text, keepsSlashes: false) == "a%2Fb%20c~%C3%A9-._%25%2B%26%3D%3F%23")
    }

    @Test func `a path keeps what a step of one may have, but no colon`() {
        let text = "Sources/a b:c/Kit+URL (é).swift?#%"
        #expect(PercentEncoding.path(text) == "Sources/a%20b%3Ac/Kit+URL%20(%C3%A9).swift%3F%23%25")
        #expect(PercentEncoding.decode(PercentEncoding.path("日本/a&b.swift")[...]) == "日本/a&b.swift")
    }

    @Test(arguments: ["", "plain", "a/b c~é-._%+&=?#", "\u{0}\n", "日本語"])
    func `what was encoded is decoded again`(_ text: String) {
        #expect(PercentEncoding.decode(PercentEncoding.encode(text)[...]) == text)
        #expect(PercentEncoding.decode(PercentEncoding.encode(text, keepsSlashes: false)[...]) == text)
    }

    @Test(arguments: ["%", "%4", "%zz", "%FF"])
    func `a broken escape, and bytes that are no text, are refused`(_ text: String) {
        #expect(PercentEncoding.decode(text[...]) == nil)
    }
}
