import Greeting
import Testing

@Test func greets() { #expect(greeting == "Hello") }
