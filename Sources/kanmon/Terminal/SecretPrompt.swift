import Application
import Foundation

/// Asks for a secret on the terminal, which does not show what is typed.
enum SecretPrompt {
    /// The longest secret, in bytes.
    private static let longest = 1024

    /// The line that is typed; `nil` if standard input is no terminal, or if it was cancelled with Control-C or Control-D.
    static func ask(_ question: String) -> String? {
        // A script may have a terminal and nobody in front of it.
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else { return nil }
        var silent = before
        // With signals off, Control-C is a character, and no signal can leave the terminal silent.
        silent.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL | ICANON | ISIG)
        guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return nil }
        defer { tcsetattr(terminal, TCSAFLUSH, &before) }
        StandardStreams.write(question, to: terminal)
        defer { StandardStreams.write("\n", to: terminal) }
        return line(from: terminal)
    }

    private static func line(from terminal: Int32) -> String? {
        var typed: [UInt8] = []
        while typed.count < longest {
            var byte: UInt8 = 0
            let count = read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return String(decoding: typed, as: UTF8.self)
            // Control-C and Control-D.
            case 3, 4: return nil
            // Backspace, whichever of the two the terminal sends.
            case 8, 127: _ = typed.popLast()
            // Control-U.
            case 21: typed.removeAll()
            default: typed.append(byte)
            }
        }
        return nil
    }
}
