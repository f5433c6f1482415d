import RunModel

/// What a folder in the reports of another tool is called here: another machine, container or agent had the files elsewhere.
public struct PathMap: Sendable, Hashable, Codable {
    /// The folder in the reports.
    public let from: String
    /// The folder here: absolute, or relative to the package; empty for the package itself.
    public let to: String

    /// Makes a map from its parts.
    public init(from: String, to: String) {
        self.from = from
        self.to = to
    }

    /// Reads `FROM=TO`; `nil` for anything else.
    public init?(_ text: String) {
        guard let place = text.utf8.firstIndex(of: UInt8(ascii: "=")), place > text.utf8.startIndex else { return nil }
        self.init(from: String(text[..<place]), to: String(text[text.utf8.index(after: place)...]))
    }

    /// The path here; `nil` for one that is not in the folder.
    func path(of recorded: String) -> String? {
        let (path, folder) = (RecordedPath.portable(recorded).pathParts(), RecordedPath.portable(from).pathParts())
        let isAbsolute = RecordedPath.portable(recorded).utf8.first == UInt8(ascii: "/")
        guard isAbsolute == (RecordedPath.portable(from).utf8.first == UInt8(ascii: "/")), path.count >= folder.count,
            zip(path, folder).allSatisfy({ Name($0) == Name($1) })
        else { return nil }
        let rest = path.dropFirst(folder.count).joined(separator: "/")
        return RecordedPath.normalized(to.isEmpty ? rest : "\(to)/\(rest)")
    }
}

extension [PathMap] {
    /// The path here by the first map that has its folder; the same where none has.
    package func path(of recorded: String) -> String {
        for map in self {
            if let path = map.path(of: recorded) { return path }
        }
        return recorded
    }
}
