import Greeting
import Testing

@Test func stillRuns() {
    #expect(Greeting(name: "").text == "Hello!")
}
