import Core
import Testing

@Test func doubles() { #expect(twice(2) == 4) }
