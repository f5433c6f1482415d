import RunModel

/// Many patterns at once, by the rules of `Glob`: what a text costs does not depend on how many patterns there are.
///
/// A pattern without a wildcard is looked up. Those with one are matched together by `PatternMachine`.
struct PatternSet: Sendable {
    /// A component of patterns without wildcards, by those before it.
    fileprivate struct Node {
        var children: [Name: Int] = [:]
        /// The pattern that ends here.
        var pattern: Int?
    }

    private var nodes = [Node()]
    private let machine: PatternMachine
    /// By the place of a pattern: that of the first one that is written the same, which alone is found.
    let originals: [Int]

    /// Makes a set; patterns are known by their place in the list.
    init(_ patterns: [String]) {
        var wild: [(index: Int, pattern: String)] = []
        var known: [Name: Int] = [:]
        var originals: [Int] = []
        for (index, pattern) in patterns.enumerated() {
            let original = known[Name(pattern)] ?? index
            originals.append(original)
            guard original == index else { continue }
            known[Name(pattern)] = index
            if Glob.isPattern(pattern) { wild.append((index, pattern)) } else { nodes.add(pattern, index) }
        }
        self.originals = originals
        machine = PatternMachine(wild)
    }

    /// By the place of a pattern: whether it matches any of the texts.
    func areMatching(_ texts: some Sequence<String>, withFolders: Bool = false) -> [Bool] {
        var isMatching = Array(repeating: false, count: originals.count)
        for text in texts { for index in found(text, withFolders: withFolders) { isMatching[index] = true } }
        return originals.map { isMatching[$0] }
    }

    /// The patterns that match the whole of a text, ascending.
    func all(for text: String) -> [Int] {
        // A pattern can match a text in two ways.
        Set(found(text, withFolders: false)).sorted()
    }

    /// The first pattern that matches the whole of a text; `nil` when none does.
    func first(for text: String) -> Int? { found(text, withFolders: false).min() }

    /// The first pattern that matches a text or what it begins with up to a `/`; `nil` when none does.
    func first(forBeginningOf text: String) -> Int? { found(text, withFolders: true).min() }

    /// Whether a pattern matches the whole of a text.
    func matches(_ text: String) -> Bool { !found(text, withFolders: false).isEmpty }

    private func found(_ text: String, withFolders: Bool) -> [Int] {
        var found: [Int] = []
        machine.run(over: text, withFolders: withFolders) { found.append($0) }
        guard nodes.count > 1 else { return found }
        var node = 0
        for component in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if withFolders, let pattern = nodes[node].pattern { found.append(pattern) }
            guard let next = nodes[node].children[Name(Substring(component))] else { return found }
            node = next
        }
        if let pattern = nodes[node].pattern { found.append(pattern) }
        return found
    }
}

extension [PatternSet.Node] {
    fileprivate mutating func add(_ pattern: String, _ index: Int) {
        var node = 0
        for component in pattern.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let name = Name(Substring(component))
            if let next = self[node].children[name] {
                node = next
            } else {
                append(PatternSet.Node())
                self[node].children[name] = count - 1
                node = count - 1
            }
        }
        self[node].pattern = index
    }
}
