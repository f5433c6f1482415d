/// The lines of a coverage report that are not as its format has them, but stand by themselves.
///
/// Such a line is left out with a note. Where most of a report is like that, it is something else, and refused.
struct MalformedLines {
    /// Lines that could be placed and counted.
    private var readable = 0
    /// Lines that were left out.
    private var leftOut = 0
    /// Lines whose counts are no whole numbers; a negative one counts as 0.
    private var oddCounts = 0
    private var firstLeftOut: String?
    private var firstOddCount: String?

    /// A line was taken.
    mutating func take() { readable += 1 }

    /// A line was left out.
    ///
    /// - Parameter what: A lower-case fragment that says which one, and why.
    mutating func leaveOut(_ what: @autoclosure () -> String) {
        leftOut += 1
        if firstLeftOut == nil { firstLeftOut = what() }
    }

    /// A line was taken whose count is odd.
    mutating func noteCount(_ what: @autoclosure () -> String) {
        oddCounts += 1
        if firstOddCount == nil { firstOddCount = what() }
    }

    /// Why the report is refused as a whole; `nil` where it is not.
    var refusal: String? {
        guard let firstLeftOut, leftOut > readable else { return nil }
        return leftOut == 1 ? firstLeftOut : "\(leftOut) lines cannot be read, the first: \(firstLeftOut)"
    }

    /// What the notes on the report say.
    var remarks: [String] {
        var remarks: [String] = []
        if let firstLeftOut {
            remarks.append(
                leftOut == 1
                    ? "a line was left out: \(firstLeftOut)"
                    : "\(leftOut) lines were left out, the first: \(firstLeftOut)")
        }
        if let firstOddCount {
            remarks.append(
                oddCounts == 1
                    ? "a count is no whole number: \(firstOddCount)"
                    : "\(oddCounts) counts are no whole numbers, the first: \(firstOddCount)")
        }
        return remarks
    }
}
