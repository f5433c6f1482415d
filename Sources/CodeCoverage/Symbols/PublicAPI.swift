public import Evidence
import RunModel

/// The public declarations of a module, and those without executed code.
///
/// Declarations are matched with their compiled functions by mangled names, without guessing.
public struct PublicAPI: Sendable, Hashable {
    /// A declaration with code of its own.
    public struct Declaration: Sendable, Hashable {
        /// The name as a person reads it; untrusted text.
        public let name: String
        /// Relative to the package; as the compiler recorded it outside of it.
        public let path: String
        /// The line on which its code begins.
        public let line: Int
    }

    /// How many were executed.
    public let executed: Int
    /// Those without a called function, by file and line.
    public let unexecuted: [Declaration]
    /// How many have no code with coverage: stored properties, protocol requirements, code that the compiler makes.
    public let withoutCode: Int

    /// Joins the declarations of a module with the functions of a run's coverage export.
    public init(_ graphs: [SymbolGraph], export: CoverageExport, manifest: RunManifest) {
        let root = RecordedRoot(
            of: export.files.map(\.path), manifest: manifest, owners: SourceOwners(manifest.modules))
        var known: [Name: [CoverageExport.Function]] = [:]
        for function in export.functions { known[Name(function.symbol), default: []].append(function) }
        var seen: Set<Name> = []
        var (executed, withoutCode) = (0, 0)
        var unexecuted: [Declaration] = []
        for symbol in graphs.flatMap(\.symbols)
        where symbol.mayHoldCode && seen.insert(Name(symbol.identifier)).inserted {
            let code = symbol.functions.flatMap { known[Name($0)] ?? [] }
            if code.isEmpty {
                withoutCode += 1
            } else if code.contains(where: \.count.isCovered) {
                executed += 1
            } else if let first = code.min(by: { $0.regions[0].line < $1.regions[0].line }) {
                unexecuted.append(
                    Declaration(
                        name: symbol.name, path: root.relative(first.path) ?? first.path,
                        line: Int(first.regions[0].line)))
            }
        }
        self.executed = executed
        self.unexecuted = unexecuted.sorted {
            (Name($0.path), $0.line, Name($0.name)) < (Name($1.path), $1.line, Name($1.name))
        }
        self.withoutCode = withoutCode
    }
}
