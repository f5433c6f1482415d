import RunModel

/// The waivers in the messages of commits, and the lines that only look like some.
public struct WaiverReading: Sendable, Hashable, Codable {
    /// Those of the commits that are judged.
    public var waivers: [Waiver] = []
    /// Those of earlier commits.
    public var earlier: [Waiver] = []
    /// What is wrong with lines of the commits that are judged.
    public var faults: [WaiverFault] = []

    /// The word before the colon; upper and lower case are the same, as in any trailer of git.
    static let key = "kanmon-waiver"

    /// Nothing was read.
    public init() {}

    /// Reads the message of a commit.
    ///
    /// Every line that begins with the key counts, wherever it stands: what is meant as a waiver must not be passed over
    /// because a blank line stands between it and the other trailers. Lines that begin with a blank continue it. Behind a
    /// blank or another sign the key does not count: so a message can quote another one, such as that of a commit that it reverts.
    public mutating func read(message: String, of commit: String, isEarlier: Bool = false) {
        // The lines of git: what else Unicode calls a line break may stand within quoted text.
        let lines = message.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        var index = 0
        while index < lines.count {
            let number = index + 1
            let line = lines[index]
            index += 1
            guard let colon = line.firstIndex(of: ":"),
                line[..<colon].trimmingTrailingBlanks.lowercased() == Self.key
            else { continue }
            var text = String(line[line.index(after: colon)...])
            while index < lines.count, let first = lines[index].first, first == " " || first == "\t" {
                text += " " + lines[index]
                index += 1
            }
            switch Self.waiver(text, commit: commit, line: number) {
            case .success(let waiver): if isEarlier { earlier.append(waiver) } else { waivers.append(waiver) }
            case .failure(let problem):
                guard !isEarlier else { continue }
                faults.append(
                    WaiverFault(text: String(text.trimmingBlanks), problem: problem, commit: commit, line: number))
            }
        }
    }

    private static func waiver(_ text: String, commit: String, line: Int) -> Result<Waiver, WaiverFault.Problem> {
        let words = text.split { $0 == " " || $0 == "\t" }
        guard let subject = words.first, !subject.hasPrefix("until=") else { return .failure(.subjectMissing) }
        guard words.count > 1, words[1].hasPrefix("until=") else { return .failure(.dayMissing) }
        guard let until = CalendarDay(String(words[1].dropFirst("until=".count))) else { return .failure(.dayWrong) }
        let reason = words.dropFirst(2).joined(separator: " ")
        guard !reason.isEmpty else { return .failure(.reasonMissing) }
        return .success(
            Waiver(
                subject: String(subject).cut(toBytes: Waiver.longestText), until: until,
                reason: reason.cut(toBytes: Waiver.longestText), commit: commit, line: line))
    }
}

extension WaiverFault.Problem: Error {}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        drop { $0 == " " || $0 == "\t" }.trimmingTrailingBlanks
    }

    fileprivate var trimmingTrailingBlanks: Substring {
        var rest = self
        while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
        return rest
    }
}

extension String {
    fileprivate var trimmingBlanks: Substring { self[...].trimmingBlanks }
}
