import Mapping
import Testing

@Suite struct ModernTests {
    @Test func usesTheTotal() {
        #expect(Shared.total == 12)
    }

    @Test(arguments: [-1, 1]) func signs(number: Int) {
        #expect(sign(of: number).count == 1)
    }

    @Test func doubles() {
        #expect(doubled([1]) == [2])
    }
}
