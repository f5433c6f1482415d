import Racing
import Testing

/// Swift Testing runs the cases at the same time.
@Test(arguments: 1...8) func race(number: Int) {
    #expect(oddNumbers(below: 1_000_000) == 500_000)
}
