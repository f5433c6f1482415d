import Greeting
import Testing

@Suite struct ModernTests {
    @Test(arguments: ["a", "b"]) func names(name: String) {
        print("modern \(name)")
        #expect(Greeting(name: name).text == "Hello, \(name)!")
    }

    @Test func fails() {
        #expect(Greeting(name: "").text == "Hello, nobody!")
    }
}
