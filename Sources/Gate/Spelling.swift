/// Finds the word that a misspelt one was probably meant to be.
public enum Spelling {
    /// The candidate nearest to `word`, or `nil` when none is near enough to be meant.
    ///
    /// Near enough is one edit for every three characters, and at least one; letter case counts for nothing, and two
    /// neighbors that changed places are one edit. Of two equally near the first wins.
    public static func nearest(to word: String, among candidates: [String]) -> String? {
        let limit = 120
        let wanted = Array(word.lowercased().prefix(limit + 1))
        guard wanted.count <= limit else { return nil }
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let letters = Array(candidate.lowercased().prefix(limit + 1))
            let longest = max(wanted.count, letters.count)
            guard longest <= limit, abs(wanted.count - letters.count) <= max(1, longest / 3) else { continue }
            let most = min(max(1, longest / 3), best.map { $0.distance - 1 } ?? .max)
            if let distance = edits(wanted, letters, most: most) { best = (candidate, distance) }
        }
        return best?.candidate
    }

    /// The number of insertions, deletions, replacements and swaps of neighbors that turn one into the other; `nil` when it
    /// is more than `most`.
    static func edits(_ left: [Character], _ right: [Character], most: Int = .max) -> Int? {
        // What both begin and end with takes no edits: names of tests share most of themselves.
        let shorter = min(left.count, right.count)
        let start = zip(left, right).prefix { $0 == $1 }.count
        let end = zip(left.reversed(), right.reversed()).prefix(shorter - start).prefix { $0 == $1 }.count
        return edits(left[start..<left.count - end], right[start..<right.count - end], most: most)
    }

    private static func edits(_ left: ArraySlice<Character>, _ right: ArraySlice<Character>, most: Int) -> Int? {
        let (left, right) = (Array(left), Array(right))
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        var least = 0
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
            // What follows is no less than the least of this row, or by a swap one more than that of the one before.
            let before = least
            least = last.min() ?? 0
            if least > most, before >= most { return nil }
        }
        return last[right.count] <= most ? last[right.count] : nil
    }
}
