import RunModel

/// Finds the added lines of a diff that it removes in another place.
///
/// Lines are compared without leading and trailing blanks, so that code with another indentation is found too. Every
/// removed line can move to one place only: a copy is new code. A block has at least twenty letters and digits, as in
/// `git diff --color-moved`, because braces and returns occur everywhere.
struct MoveFinder {
    private static let shortest = 20

    private struct Place: Hashable {
        let file: Int
        let line: Int
    }

    /// The removed lines by their text, in the order of the diff.
    private var places: [ArraySlice<UInt8>: [Place]] = [:]
    private var texts: [Place: ArraySlice<UInt8>] = [:]
    private var taken: Set<Place> = []

    /// The changes of a package's files, with the lines that moved between them.
    static func changes(of files: [FileDiff], package subpath: String) -> [FileChange] {
        var finder = MoveFinder()
        let inPackage = files.map { file in
            (path: relative(file.path, to: subpath), basePath: relative(file.basePath, to: subpath))
        }
        for (index, file) in files.enumerated() where inPackage[index].basePath != nil { finder.collect(file, index) }
        return files.indices.compactMap { index in
            let (path, basePath) = inPackage[index]
            guard path != nil || basePath != nil else { return nil }
            let moved = path == nil ? [] : finder.moves(into: files[index])
            return FileChange(
                path: path, basePath: basePath, changes: files[index].hunks.map(\.lines),
                moved: moved.compactMap { move in
                    inPackage[move.from.file].basePath.map {
                        MovedLines(head: move.head, basePath: $0, baseStart: move.from.line)
                    }
                },
                exposed: files[index].exposed.isEmpty ? nil : files[index].exposed,
                leadsElsewhere: files[index].isPlace ? true : nil,
                mayEndBlock: files[index].hunks.contains { BlockEnds.mayEnd(removed: $0.removed, added: $0.added) }
            )
        }
        .sorted { Name($0.path ?? $0.basePath ?? "") < Name($1.path ?? $1.basePath ?? "") }
    }

    /// The path relative to the package; `nil` outside of it, and for a name that is not valid text.
    private static func relative(_ name: GitName?, to subpath: String) -> String? {
        guard let name else { return nil }
        return (subpath.isEmpty ? name : name.dropping(prefix: subpath + "/"))?.text
    }

    private mutating func collect(_ file: FileDiff, _ index: Int) {
        for hunk in file.hunks {
            for (offset, line) in hunk.removed.enumerated() {
                let place = Place(file: index, line: hunk.lines.base.lowerBound + offset)
                let text = Self.trimmed(line)
                places[text, default: []].append(place)
                texts[place] = text
            }
        }
    }

    /// From the top of the file, each time the longest block that is not used yet.
    private mutating func moves(into file: FileDiff) -> [(head: Range<Int>, from: Place)] {
        var found: [(head: Range<Int>, from: Place)] = []
        for hunk in file.hunks {
            let added = hunk.added.map(Self.trimmed)
            var index = 0
            while index < added.count {
                guard let (start, length) = longest(added[index...]) else {
                    index += 1
                    continue
                }
                for line in 0..<length { taken.insert(Place(file: start.file, line: start.line + line)) }
                let first = hunk.lines.head.lowerBound + index
                found.append((first..<first + length, start))
                index += length
            }
        }
        return found
    }

    /// The longest removed block that `lines` begin with; `nil` if it is too short.
    private func longest(_ lines: ArraySlice<ArraySlice<UInt8>>) -> (from: Place, length: Int)? {
        guard let first = lines.first, !first.isEmpty else { return nil }
        var best: (from: Place, length: Int)?
        // Limited, so that a file with thousands of equal lines does not take quadratic time.
        for place in (places[first] ?? []).lazy.filter({ !taken.contains($0) }).prefix(64) {
            var length = 0
            for line in lines {
                let next = Place(file: place.file, line: place.line + length)
                guard !taken.contains(next), texts[next] == line else { break }
                length += 1
            }
            if length > best?.length ?? 0 { best = (place, length) }
        }
        guard let best else { return nil }
        let letters = lines.prefix(best.length).reduce(0) { $0 + $1.count(where: Self.isLetterOrDigit) }
        return letters >= Self.shortest ? best : nil
    }

    private static func trimmed(_ line: [UInt8]) -> ArraySlice<UInt8> {
        let start = line.firstIndex { !isBlank($0) } ?? line.endIndex
        let end = line.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return line[start..<max(start, end)]
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    /// Bytes of other scripts count as letters.
    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
        default: false
        }
    }
}
