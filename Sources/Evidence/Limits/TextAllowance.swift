/// How much is kept of each of many texts: of the first as much as a person reads, of those behind less and less. The files in the
/// run directory have them whole.
package struct TextAllowance {
    /// Within the first bytes of all texts, this many, each text is kept up to `HeadAndTail.limit` at either end: 16
    /// MiB.
    package static let whole = 16 << 20
    /// How many bytes of a text are kept at either end after those.
    private static let brief = 512
    /// How many bytes are kept at either end after twice as many.
    private static let least = 32

    private let whole: Int
    private var kept = 0
    /// How many texts were cut.
    package private(set) var cut = 0

    package init(whole: Int = Self.whole) { self.whole = whole }

    /// How many bytes are kept at either end of the next text.
    package var most: Int { kept < whole ? HeadAndTail.limit : kept < 2 * whole ? Self.brief : Self.least }

    /// Takes a text that was gathered with as much at either end as `most` said.
    package mutating func keep(_ text: HeadAndTail) -> String {
        let kept = text.text()
        self.kept += kept.utf8.count
        if text.isCut { cut += 1 }
        return kept
    }

    /// Takes a text that is there already. What was cut once stays as it is.
    package mutating func keep(_ text: String) -> String {
        let kept = HeadAndTail.cut(text, most: most)
        self.kept += kept.utf8.count
        if kept.utf8.count != text.utf8.count { cut += 1 }
        return kept
    }
}
