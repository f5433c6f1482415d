import Greeting
import Testing

@Suite struct ModernTests {
    @Test func `a name "in quotes" <&> is greeted`() {
        #expect(Greeting(name: "<&>").text == "Hello, <&>!")
    }

    @Test("表示名 🇯🇵", arguments: ["a", "か", "か\u{3099}"])
    func names(name: String) {
        #expect(Greeting(name: name).text == "Hello, \(name)!")
    }
}

@Test func 日本語の関数名() {
    #expect(Greeting(name: "").text == "Hello!")
}
