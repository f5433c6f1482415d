/// The name of a branch from the user or the variables of a CI server: untrusted, and only recorded.
package struct BranchName: Sendable, Hashable {
    /// The name, without `refs/heads/`.
    package let text: String

    /// Checks a name; `nil` for options, ranges and paths, and for names with blanks or control characters.
    package init?(_ text: String) {
        guard !text.isEmpty, !text.hasPrefix("-"), !text.hasPrefix("/"), !text.hasSuffix("/"), !text.contains(".."),
            text.unicodeScalars.allSatisfy({ $0 != " " && $0.properties.generalCategory != .control })
        else { return nil }
        self.text = text
    }
}
