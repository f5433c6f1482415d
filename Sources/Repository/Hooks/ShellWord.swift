/// Words of a command for a shell.
public enum ShellWord {
    /// A word as a shell reads it back: in single quotes.
    public static func quoted(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
