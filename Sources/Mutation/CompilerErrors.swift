/// The places of the errors that a build has printed.
public struct CompilerErrors: Sendable, Hashable {
    /// The lines with errors, by absolute path.
    public private(set) var lines: [String: Set<Int>] = [:]

    /// Reads the output of `swift build`: lines such as `/folder/File.swift:12:7: error: …`.
    public init(output: String) {
        for line in output.split(separator: "\n") {
            guard let mark = line.firstRange(of: ": error:"), line.hasPrefix("/") else { continue }
            let place = line[..<mark.lowerBound].split(separator: ":", omittingEmptySubsequences: false)
            // A path may have colons.
            guard place.count >= 3, let number = Int(place[place.count - 2]), Int(place[place.count - 1]) != nil else {
                continue
            }
            lines[place.dropLast(2).joined(separator: ":"), default: []].insert(number)
        }
    }
}

extension MutatedSource {
    /// The mutants that can be the reason of errors in lines of the text: those on the lines themselves, where there are none all of
    /// the function around them, and where there is none all of the source.
    public func suspects(of lines: Set<Int>) -> Set<Int> {
        var found: Set<Int> = []
        for line in lines {
            let onLine = mutants.filter { $0.line == line }
            let inFunction = mutants.filter { $0.functionLines.contains(line) }
            let chosen = onLine.isEmpty ? inFunction.isEmpty ? mutants : inFunction : onLine
            found.formUnion(chosen.map(\.number))
        }
        return found
    }
}
