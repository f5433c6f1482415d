public import Evidence
public import Foundation

/// The declarations of a module that others may use, as `swift-symbolgraph-extract` writes them down.
///
/// A module has a graph of its own, and one more for every module whose types it extends.
public struct SymbolGraph: Sendable, Hashable {
    /// One declaration.
    public struct Symbol: Sendable, Hashable {
        /// Such as `swift.method`.
        public let kind: String
        /// The identifier that is its own in the whole world (USR): `s:` and what follows `$s` in the mangled name.
        public let identifier: String
        /// The name as a person reads it, after those of the types around it: `Stack.push(_:)`; untrusted text.
        public let name: String
    }

    /// The declarations in the order of the file.
    public let symbols: [Symbol]

    /// Reads what the toolchain wrote.
    ///
    /// - Parameter file: The name for messages.
    public init(json: Data, file: String) throws(EvidenceError) {
        do {
            symbols = try JSONDecoder().decode(Written.self, from: json).symbols.map { symbol in
                Symbol(
                    kind: symbol.kind.identifier, identifier: symbol.identifier.precise,
                    name: symbol.pathComponents.joined(separator: "."))
            }
        } catch {
            throw .malformed(file: file, line: 1, column: 1, reason: "no symbol graph: \(error)")
        }
    }

    /// What of the format is needed; `docs/` of swift-docc-symbolkit has all of it.
    private struct Written: Decodable {
        let symbols: [Symbol]

        struct Symbol: Decodable {
            let kind: Kind
            let identifier: Identifier
            let pathComponents: [String]
        }

        struct Kind: Decodable { let identifier: String }

        struct Identifier: Decodable { let precise: String }
    }
}

extension SymbolGraph.Symbol {
    /// Kinds that may be compiled to functions; a type, a case or a name for a type is not.
    private static let kindsWithCode: Set<String> = [
        "swift.deinit", "swift.func", "swift.func.op", "swift.init", "swift.method", "swift.property",
        "swift.subscript", "swift.type.method", "swift.type.property", "swift.type.subscript", "swift.var",
    ]

    /// What mangling puts in the place of the `p` of a property or subscript for each of its accessors (Swift's
    /// `docs/ABI/Mangling.rst`): get, set, read and modify in their old and new forms, observers, addressors, init.
    private static let accessors = ["g", "s", "r", "M", "y", "x", "b", "z", "w", "W", "i", "lu", "au", "lO", "aO"]

    /// Whether it is declared here and may hold code: what a type has from protocols of others is not listed.
    var mayHoldCode: Bool { Self.kindsWithCode.contains(kind) && !identifier.contains("::SYNTHESIZED::") }

    /// The symbols of every function that the declaration may be compiled to.
    var functions: [String] {
        guard identifier.utf8.starts(with: "s:".utf8) else { return [] }
        let mangled = "$s" + identifier.dropFirst(2)
        let isStatic = mangled.hasSuffix("pZ")
        let stem = mangled.dropLast(isStatic ? 2 : 1)
        if isStatic || mangled.hasSuffix("p"), stem.hasSuffix("v") || stem.hasSuffix("i") {
            return Self.accessors.map { stem + $0 + (isStatic ? "Z" : "") }
        }
        // An initializer of a class is two functions, of which only the one with the code is counted; so is the end of an object.
        for (one, other) in [("fc", "fC"), ("fd", "fD")] where mangled.hasSuffix(one) || mangled.hasSuffix(other) {
            return [one, other].map { mangled.dropLast(2) + $0 }
        }
        return [mangled]
    }
}
