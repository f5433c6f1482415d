import RunModel

/// Folders, so that a path is looked for in all of them at once: by its components, in time that depends on its length only.
struct FolderSet {
    /// A component in the folder that the components before it lead to.
    private struct Step: Hashable {
        let place: Int
        let component: Name
    }

    private var steps: [Step: Int] = [:]
    /// Whether one of the folders is at a place, which is the number of a step; the first place is where every path begins.
    private var isFolder = [false]

    /// Makes it of paths that end with `/`.
    init(_ folders: some Sequence<String>) {
        for folder in folders { insert(folder) }
    }

    private mutating func insert(_ folder: String) {
        var place = 0
        for component in Self.folders(of: folder) {
            let step = Step(place: place, component: component)
            if let next = steps[step] {
                place = next
            } else {
                place = isFolder.count
                isFolder.append(false)
                steps[step] = place
            }
        }
        isFolder[place] = true
    }

    /// Whether a path is inside of one of the folders, byte by byte.
    func holds(_ path: String) -> Bool {
        var place = 0
        for component in Self.folders(of: path) {
            guard let next = steps[Step(place: place, component: component)] else { return false }
            if isFolder[next] { return true }
            place = next
        }
        return false
    }

    /// The components of a path that a `/` follows.
    private static func folders(of path: String) -> some Sequence<Name> {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropLast().lazy
            .map { Name(Substring($0)) }
    }
}
