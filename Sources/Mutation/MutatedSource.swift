public import Foundation

/// A source and its mutants.
public struct MutatedSource: Sendable, Hashable {
    /// Relative to the package.
    public let path: String
    /// As it is without mutants.
    public let source: [UInt8]
    private var points: [MutationPoint]

    /// Finds the mutants of a source.
    ///
    /// - Parameters:
    ///   - changed: The changed lines, counted from 1; an empty range at a place where lines were removed.
    ///   - syntax: What `swiftc -frontend -dump-parse -dump-ast-format json` prints of the source.
    /// - Returns: `nil` where the compiler printed something else.
    public init?(path: String, source: [UInt8], changed: [Range<Int>], syntax: Data) {
        self.path = path
        self.source = source
        // The statements of this file are executed in their order, and the switch stands at its end.
        guard path.split(separator: "/").last != "main.swift" else {
            points = []
            return
        }
        guard let tree = try? SyntaxTree(json: syntax, source: source) else { return nil }
        points = MutationFinder(path: path, source: source, tree: tree, changed: changed).find()
    }

    /// Its mutants.
    public var mutants: [Mutant] { points.map(\.mutant) }

    /// Gives its mutants their numbers, and answers the next one.
    public mutating func number(from first: Int) -> Int {
        for index in points.indices { points[index].mutant.number = first + index }
        return first + points.count
    }

    /// Takes mutants away by their numbers.
    public mutating func remove(_ numbers: Set<Int>) { points.removeAll { numbers.contains($0.mutant.number) } }

    /// The text with all of its mutants. Its lines are those of the source, and more at the end.
    ///
    /// - Parameters:
    ///   - file: The file that says which of them is in effect: a number, or nothing.
    ///   - marksImports: Whether the target says how visible its import of the C library is (`marksImport(_:)`): it must say so
    ///     everywhere or nowhere.
    public func text(switchedBy file: String, marksImports: Bool) -> [UInt8] {
        guard !points.isEmpty else { return source }
        let insertions = points.enumerated().flatMap { order, point in
            point.insertions.map { insertion in
                (insertion: insertion, order: order, number: point.mutant.number)
            }
        }.sorted { left, right in
            if left.insertion.offset != right.insertion.offset { return left.insertion.offset < right.insertion.offset }
            // What ends here ends before anything begins, and what began last ends first.
            if left.insertion.isEnd != right.insertion.isEnd { return left.insertion.isEnd }
            return left.insertion.isEnd ? left.order > right.order : left.order < right.order
        }
        var text: [UInt8] = []
        var place = 0
        for (insertion, _, number) in insertions {
            text += source[place..<insertion.offset]
            text += insertion.text.replacing(MutationPoint.number, with: "\(number)").utf8
            place = insertion.offset
        }
        return text + source[place...] + Switch.text(readFrom: file, marksImports ? "private import" : "import").utf8
    }
}

extension MutatedSource {
    /// Whether a source imports the C library and says how visible that is.
    public static func marksImport(_ source: [UInt8]) -> Bool {
        String(decoding: source, as: UTF8.self)
            .contains(/\b(?:private|fileprivate|internal|package|public)\s+import\s+(?:Glibc|Musl)\b/)
    }
}

/// What a mutated source asks whether a mutant is in effect.
///
/// A file says so, and no variable of the environment: programs that a test starts with an environment of their own are to have the
/// same mutant.
enum Switch {
    static let returns = "__kanmonReturns"
    static let negated = "__kanmonNegated"
    static let changed = "__kanmonChanged"

    /// Only this file knows it, so that every source may have one. It names everything so that no declaration of the module is meant.
    static func text(readFrom file: String, _ importing: String) -> String {
        """

        #if canImport(Glibc)
        \(reader(of: file, by: "Glibc", importing))
        #elseif canImport(Musl)
        \(reader(of: file, by: "Musl", importing))
        #endif
        nonisolated private func \(returns)(_ number: Swift.Int) -> Swift.Bool { __kanmonMutant == number }
        nonisolated private func \(negated)(_ number: Swift.Int, _ value: Swift.Bool) -> Swift.Bool {
            (__kanmonMutant == number) != value
        }
        nonisolated private func \(changed)<Value>(_ number: Swift.Int, _ value: Value, _ other: Value) -> Value {
            __kanmonMutant == number ? other : value
        }

        """
    }

    private static func reader(of file: String, by library: String, _ importing: String) -> String {
        """
        \(importing) \(library)
        nonisolated private let __kanmonMutant: Swift.Int = {
            let descriptor = \(library).open("\(escaped(file))", \(library).O_RDONLY | \(library).O_CLOEXEC)
            guard descriptor >= 0 else { return 0 }
            defer { _ = \(library).close(descriptor) }
            var digit: Swift.UInt8 = 0
            var number: Swift.Int = 0
            while \(library).read(descriptor, &digit, 1) == 1 { number = number &* 10 &+ Swift.Int(digit &- 48) }
            return number
        }()
        """
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            scalar == "\\" || scalar == "\"" || scalar.value < 32
                ? "\\u{\(String(scalar.value, radix: 16))}" : "\(scalar)"
        }.joined()
    }
}
