import RunModel
import TestSupport
import Testing

@Suite struct ReasonCodeTests {
    @Test func `the table in the documentation is the one in the code`() {
        var table = """
            # Reason codes

            A **gap** is something that the evidence does not establish: its run is undecided and never passes. A
            **note** never blocks: it is information, or a gap that another complete source has filled. Codes are
            stable.

            | code | what it means | what to do |
            |---|---|---|

            """
        for code in ReasonCode.allCases {
            table += "| `\(code.rawValue)` | \(code.meaning) | \(code.remedy) |\n"
        }
        expectSnapshot(table, at: "docs/reason-codes.md")
    }
}
