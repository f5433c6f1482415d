import Greeting
import Testing

@Suite struct ModernTests {
    @Test func fails() {
        #expect(Greeting(name: "a").text == "Hello, b!")
    }

    @Test func hasKnownIssue() {
        withKnownIssue("not translated yet") {
            #expect(Greeting(name: "世界").text == "こんにちは、世界!")
        }
    }

    @Test(.disabled("needs a server")) func skips() {
        #expect(Bool(false))
    }
}
