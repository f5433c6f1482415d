package import Evidence
package import RunModel

/// The functions of a coverage export by file, so that several exports of the same objects can be united exactly.
package struct FunctionRegions {
    /// What makes a function the same in two exports: its symbol and the places of its regions.
    private struct Key: Hashable {
        let symbol: Name
        let places: [Place]
    }

    private struct Place: Hashable {
        let line: Int32
        let column: Int32
        let endLine: Int32
        let endColumn: Int32

        init(_ region: CoverageExport.Region) {
            line = region.line
            column = region.column
            endLine = region.endLine
            endColumn = region.endColumn
        }
    }

    /// Functions by the path of their file in the package.
    private(set) var files: [Name: [CoverageExport.Function]] = [:]

    /// Reads the functions of a run's export; `nil` where there is none that can be read, or it was made without them.
    package static func read(
        _ manifest: RunManifest, in directory: RunDirectory, _ budget: EvidenceBudget
    ) throws(EvidenceError) -> FunctionRegions? {
        guard let artifact = manifest.artifacts.first(where: { $0.role == .coverageExport }) else { return nil }
        let before = budget.used
        do throws(EvidenceError) {
            return try directory.lent(artifact) { document throws(EvidenceError) in
                do throws(CoverageExportError) {
                    return FunctionRegions(try CoverageExport.read(document, budget: budget), manifest)
                } catch {
                    throw EvidenceError(error, file: artifact.path)
                }
            }
        } catch {
            // What is damaged or cannot be read is a gap of the shard's run.
            guard error.isBadInput else { throw error }
            budget.goBack(to: before)
            return nil
        }
    }

    /// Sorts the functions of an export by file; `nil` when it has none.
    init?(_ export: CoverageExport, _ manifest: RunManifest) {
        guard !export.functions.isEmpty else { return nil }
        let owners = SourceOwners(manifest.modules)
        let root = RecordedRoot(of: export.files.map(\.path), manifest: manifest, owners: owners)
        for function in export.functions {
            guard let path = root.relative(function.path) else { continue }
            files[Name(path), default: []].append(function)
        }
    }

    /// Adds the counts of another export, region by region; returns the paths of files whose functions differ.
    package mutating func add(_ other: FunctionRegions) -> [String] {
        var different: [String] = []
        for (path, functions) in other.files {
            guard let united = Self.united(files[path] ?? [], functions) else {
                different.append(path.text)
                continue
            }
            files[path] = united
        }
        return different + files.keys.filter { other.files[$0] == nil }.map(\.text)
    }

    /// Regions and functions of one file, counted as llvm-cov counts them.
    package func tallies(of path: String) -> (regions: CoverageTally, functions: CoverageTally) {
        var (regions, functions) = (CoverageTally(), CoverageTally())
        for group in FunctionGroup.groups(of: files[Name(path)] ?? []) {
            regions = regions + group.regions
            functions = functions + CoverageTally(covered: group.isCalled ? 1 : 0, total: 1)
        }
        return (regions, functions)
    }

    private static func united(
        _ left: [CoverageExport.Function], _ right: [CoverageExport.Function]
    ) -> [CoverageExport.Function]? {
        guard left.count == right.count else { return nil }
        var waiting = Dictionary(grouping: right, by: key)
        var all: [CoverageExport.Function] = []
        for function in left {
            let key = key(function)
            guard let twin = waiting[key]?.popLast() else { return nil }
            all.append(function.adding(twin))
        }
        return all
    }

    /// The symbol of a private function begins with its file as it was compiled, which differs from folder to folder.
    private static func key(_ function: CoverageExport.Function) -> Key {
        Key(symbol: Name(function.symbol), places: function.regions.map(Place.init))
    }
}

extension CoverageExport.Function {
    /// The same function with the counts of both, each saturated.
    fileprivate func adding(_ other: Self) -> Self {
        CoverageExport.Function(
            name: name, path: path, count: count.adding(other.count),
            regions: zip(regions, other.regions).map { region, twin in
                CoverageExport.Region(
                    line: region.line, column: region.column, endLine: region.endLine, endColumn: region.endColumn,
                    count: region.count.adding(twin.count)
                )
            }
        )
    }
}

extension ExecutionCount {
    /// The sum, or the highest number there is.
    package func adding(_ other: ExecutionCount) -> ExecutionCount {
        let (sum, overflow) = raw.addingReportingOverflow(other.raw)
        return ExecutionCount(overflow ? .max : sum)
    }
}
