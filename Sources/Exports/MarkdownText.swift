import RunModel

/// Untrusted text inside of Markdown, such that it stays text on GitHub, GitLab and their like.
enum MarkdownText {
    /// One line of running text: every mark escaped that may mean something, no mention of a person or an issue.
    static func inline(_ text: String) -> String {
        var result = ""
        for scalar in TerminalText.safe(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            // Mentions and references are looked for after the escapes are gone: an invisible blank parts them.
            case "@", "#": result += "\\\(scalar)\u{200B}"
            case "\"", "%", "'", ",", "/", ";", "?": result.unicodeScalars.append(scalar)
            case "!"..."/", ":"..."?", "["..."`", "{"..."~": result += "\\\(scalar)"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// One line as code; the fence is longer than any run of backticks in it.
    static func code(_ text: String) -> String {
        let text = TerminalText.safe(text)
        guard !text.isEmpty else { return "" }
        let fence = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
        let needsBlanks = text.hasPrefix("`") || text.hasSuffix("`") || text.hasPrefix(" ")
        return needsBlanks ? "\(fence) \(text) \(fence)" : fence + text + fence
    }

    /// Several lines as a block of code; what is beyond `limit` lines is counted.
    static func block(_ text: String, limit: Int) -> String {
        let all = TerminalText.safeLines(text)
        let lines =
            all.prefix(limit) + (all.count > limit ? ["… \(Figures.counted(all.count - limit, "more line"))"] : [])
        let longest = lines.map { longestRun(of: "`", in: $0) }.max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return ([fence + "text"] + lines + [fence]).joined(separator: "\n")
    }

    private static func longestRun(of scalar: Unicode.Scalar, in text: String) -> Int {
        var longest = 0
        var current = 0
        for next in text.unicodeScalars {
            current = next == scalar ? current + 1 : 0
            longest = max(longest, current)
        }
        return longest
    }
}
