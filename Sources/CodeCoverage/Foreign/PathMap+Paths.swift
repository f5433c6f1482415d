import Evidence
import RunModel

extension PathMap {
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
