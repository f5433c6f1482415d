/// Whether a coverage report counts lines that it does not name.
///
/// What such a line would have added nobody knows: it may be one that was not executed. A report that only counts more executed lines
/// than its lines show stands as it is, since nothing looks better by that; it is said. So is what may be lines that are counted several
/// times, and what a report counts of functions without naming them.
struct LineClaims {
    /// How many lines there are, and how many of them were executed.
    struct Tally {
        var lines = 0
        var executed = 0

        mutating func add(isExecuted: Bool) {
            lines += 1
            if isExecuted { executed += 1 }
        }

        static func + (left: Tally, right: Tally) -> Tally {
            Tally(lines: left.lines + right.lines, executed: left.executed + right.executed)
        }
    }

    private var unnamed = (places: 0, lines: 0)
    private var firstUnnamed: String?
    private var unreadable = Remark()
    private var overcounted = Remark()
    private var repeated = Remark()
    private var functions = Remark()

    /// What is said of the first of several files.
    private struct Remark {
        private var count = 0
        private var first: String?

        mutating func add(_ words: @autoclosure () -> String) {
            count += 1
            if first == nil { first = words() }
        }

        var words: String? { first.map { count == 1 ? $0 : "\($0); and so do \(count - 1) more files" } }
    }

    /// Compares what a part of a report counts with what it names.
    ///
    /// - Parameter part: The part in words: the path of a file, or the report as a whole.
    mutating func compare(_ claimed: Tally, with named: Tally, of part: String) {
        if claimed.lines > named.lines {
            unnamed.places += 1
            // Whatever a report counts, in however many records.
            unnamed.lines = min(unnamed.lines + claimed.lines - named.lines, 1 << 60)
            if firstUnnamed == nil {
                firstUnnamed = "\(part) counts \(claimed.lines) lines and names \(named.lines) of them"
            }
        } else if claimed.executed > named.executed {
            overcounted.add("\(part) counts \(claimed.executed) executed lines and names \(named.executed) of them")
        }
    }

    /// Notes that a part counts more lines than it names, which may be the same lines once for each function around them.
    mutating func noteRepeated(_ claimed: Tally, with named: Tally, of part: String) {
        repeated.add(
            "\(part) counts \(claimed.lines) lines and names \(named.lines) of them, "
                + "maybe once for each function around them")
    }

    /// Notes that a part counts more functions than it names.
    mutating func noteFunctions(_ claimed: Int, named: Int, of part: String) {
        functions.add("\(part) counts \(claimed) functions and names \(named) of them; the others count as not called")
    }

    /// Notes that a part counts lines or functions in a way that cannot be read: nobody knows whether it names all of them.
    ///
    /// - Parameter what: What it says, such as `a says LF:?`.
    mutating func noteUnreadable(_ what: String) { unreadable.add("\(what), which is no count") }

    /// What is missing, or may be; `nil` where nothing is.
    var missing: String? {
        let unnamed = firstUnnamed.map {
            self.unnamed.places == 1
                ? $0 : "\(self.unnamed.lines) lines of \(self.unnamed.places) files are counted and not named: \($0)"
        }
        let words = [unnamed, unreadable.words].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }

    /// What is to be said besides.
    var remarks: [String] { [overcounted, repeated, functions].compactMap(\.words) }
}
