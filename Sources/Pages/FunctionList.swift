import RunModel
import Wording

/// The functions that were never called, of one file or of several.
struct FunctionList: Sendable {
    /// One of them; closures inside of it are only counted.
    struct Row: Sendable {
        let href: String
        let place: String
        let name: BreakableText
    }

    /// How many are listed at most.
    static let most = 60

    let summary: String
    let rows: [Row]
    let more: String?

    /// `nil` if all of them were called, or if it is unknown.
    init?(_ files: [FileCoverage], links: RunLinks) {
        let found = files.flatMap { file in (file.unexecuted?.outermostFunctions ?? []).map { (file, $0) } }
        guard !found.isEmpty else { return nil }
        let all = files.reduce(0) { $0 + ($1.unexecuted?.functions?.count ?? 0) }
        summary = "\(Figures.counted(all, "function")) never called"
        rows = found.prefix(Self.most).map { file, entry in
            let line = Int(entry.function.line)
            return Row(
                href: links.line(line, of: file.path), place: "\(file.path.lastPathComponent):\(line)",
                name: BreakableText(entry.function.words(inside: entry.inside)))
        }
        let rest = found.count - Self.most
        more = rest > 0 ? "… \(Figures.counted(rest, "more function"))" : nil
    }
}
