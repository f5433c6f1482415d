import Evidence

/// Why a store did not do what it was asked for.
public struct ObjectError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What can be done about it.
    public enum Kind: Sendable, Hashable {
        /// The store cannot be reached, is busy or has no room: the same may work later.
        case later
        /// What the store answers cannot be, or is damaged.
        case failed
        /// The store does not allow it with these credentials.
        case refused
        /// Address, bucket, region, credentials or clock are wrong: nothing works until somebody changes them.
        case settings
        /// The object is larger than is taken.
        case tooLarge
        /// What was to be put cannot be read here, or is not what was said.
        case unreadable
        /// The folder cannot be read or written.
        case disk
    }

    /// What can be done about it.
    public let kind: Kind
    /// What happened, as a fragment in lower case. Words of the store in it are cut, and have only characters that can be seen.
    public let reason: String
    /// What to look at, if that is known.
    public let hint: String?
    /// Whether it is that this machine has no credentials, and its service may have them later: at its start that comes when it comes.
    package internal(set) var awaitsCredentials = false

    /// The reason.
    public var description: String { reason }

    /// Makes an error from its parts.
    package init(_ kind: Kind, _ reason: String, hint: String? = nil) {
        (self.kind, self.reason, self.hint) = (kind, reason, hint)
    }

    /// The error behind one of a file.
    init(_ error: EvidenceError, putting isPutting: Bool = false) {
        switch error {
        case .tooLarge: self.init(.tooLarge, "\(error)")
        case .unwritable: self.init(.disk, "\(error)", hint: "look at the rights to the folder, and at its free space")
        case _ where isPutting: self.init(.unreadable, "\(error)")
        default:
            self.init(.disk, "\(error)", hint: "look at the rights to the folder, and for what is no file in it")
        }
    }

    /// The longest text of a store that is told, in characters.
    private static let longestText = 200

    /// A text that somebody else wrote, for an error: cut, and without characters that cannot be seen.
    package static func shown(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(longestText) {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
