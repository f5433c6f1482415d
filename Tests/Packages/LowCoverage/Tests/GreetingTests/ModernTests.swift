import Greeting
import Testing

@Test func morning() {
    #expect(greeting("a", hour: 9) == "Good morning, a!")
}
