/// The matching behind patterns with wildcards.
public enum Wildcard {
    /// Matches element by element; an element that is a run stands for any number of elements, also none.
    ///
    /// Only the last run has to be tried again with another length: whatever an earlier one could stand for, the last one can too. So
    /// the time is at most the product of both lengths.
    ///
    /// - Parameters:
    ///   - pattern: The elements of the pattern.
    ///   - text: The elements that all have to match.
    ///   - isRun: Whether an element of the pattern is a run.
    ///   - isMatch: Whether another element of the pattern stands for an element of the text.
    @inlinable
    public static func matches<Element>(
        _ pattern: [Element],
        _ text: [Element],
        isRun: (Element) -> Bool,
        isMatch: (Element, Element) -> Bool
    ) -> Bool {
        var (next, position) = (0, 0)
        var run: (afterPattern: Int, textEnd: Int)?
        while position < text.count {
            if next < pattern.count, isRun(pattern[next]) {
                next += 1
                run = (next, position)
            } else if next < pattern.count, isMatch(pattern[next], text[position]) {
                next += 1
                position += 1
            } else if let last = run {
                next = last.afterPattern
                position = last.textEnd + 1
                run = (next, position)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy(isRun)
    }
}
