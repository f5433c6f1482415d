import Answers
import Testing

@Test func waits() {
    answer()
}
