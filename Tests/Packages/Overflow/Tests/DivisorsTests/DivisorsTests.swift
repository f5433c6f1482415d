import Divisors
import Testing

@Test func seven() {
    #expect(smallestDivisor(of: 7) == 7)
}
