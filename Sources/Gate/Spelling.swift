/// Finds the word that a misspelt one was probably meant to be.
public enum Spelling {
    /// How many pairs of characters are compared at most, which takes some milliseconds; further candidates are not
    /// looked at.
    private static let mostWork = 4_000_000
    /// The longest word that is looked for, in characters.
    private static let longest = 120

    /// The candidate nearest to `word`, or `nil` when none is near enough to be meant.
    ///
    /// Near enough is one edit for every three characters, and at least one; letter case counts for nothing, and two
    /// neighbors that changed places are one edit. Of two equally near the first wins.
    public static func nearest(to word: String, among candidates: [String]) -> String? {
        // Bytes in lower case only grow a little, so that what is far longer need not be made lower.
        guard word.utf8.count <= longest * 16 else { return nil }
        let wanted = Array(word.lowercased().prefix(longest + 1))
        guard wanted.count <= longest else { return nil }
        var best: (candidate: String, distance: Int)?
        var work = 0
        for candidate in candidates where candidate.utf8.count <= longest * 16 {
            let letters = Array(candidate.lowercased().prefix(longest + 1))
            let longer = max(wanted.count, letters.count)
            guard longer <= longest, abs(wanted.count - letters.count) <= max(1, longer / 3) else { continue }
            let most = min(max(1, longer / 3), best.map { $0.distance - 1 } ?? .max)
            work += wanted.count * letters.count
            guard work <= mostWork else { break }
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

/// The words that misspelt ones of a list were probably meant to be: of the first few, which is as many as anybody mends at once.
struct Suggestions {
    /// How many are searched for.
    private static let most = 5

    private let candidates: () -> [String]
    private var left = Self.most

    init(among candidates: @autoclosure @escaping () -> [String]) { self.candidates = candidates }

    /// The candidate nearest to the next word; `nil` when none is near, and behind the first few.
    mutating func next(for word: String) -> String? {
        guard left > 0 else { return nil }
        left -= 1
        return Spelling.nearest(to: word, among: candidates())
    }
}
