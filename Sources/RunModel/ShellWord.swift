/// Words of a command for a shell.
public enum ShellWord {
    /// A word as a shell reads it back: in single quotes.
    ///
    /// It looks at bytes, as a shell does: to a `String` a quote with an accent behind it is no quote.
    public static func quoted(_ word: String) -> String {
        var quoted: [UInt8] = [UInt8(ascii: "'")]
        for byte in word.utf8 {
            if byte == UInt8(ascii: "'") { quoted += #"'\'"#.utf8 }
            quoted.append(byte)
        }
        quoted.append(UInt8(ascii: "'"))
        return String(decoding: quoted, as: UTF8.self)
    }
}
