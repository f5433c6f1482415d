import RunModel
import TestSupport
import Testing
import Wording

/// What a selection of tests would have made of a run.
@Suite struct SelectionWordsTests {
    private func words(failures: Int, missed: Int) -> String {
        SelectionTrial(
            base: SampleRuns.id(1), tests: 9, deselected: 5, time: .seconds(2), deselectedTime: .seconds(1),
            failures: failures, missed: missed
        ).kind.words
    }

    @Test func `a run of which only old failures are left is not said to have none, nor to be green`() {
        #expect(words(failures: 0, missed: 0) == "as it was, without a new failure")
        #expect(words(failures: 2, missed: 1) == "red by a new failure, as it was")
        #expect(words(failures: 2, missed: 2) == "green, and the new failures missed")
    }
}
