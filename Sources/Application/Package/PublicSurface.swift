import CodeCoverage
import Evidence
import Exports
package import Gate
import RunModel
import TestRunning
import Wording

/// The public declarations of a module that no test executed, or why they are unknown.
package struct PublicSurface: Sendable, Encodable {
    struct Declaration: Sendable, Hashable, Encodable {
        let name: String
        let path: String
        let line: Int
    }

    let executed: Int?
    /// The declarations without executed code.
    let unexecuted: [Declaration]?
    /// How many have no code with coverage.
    let withoutCode: Int?
    /// Why they are unknown; then all other fields are absent.
    let unavailable: String?

    private init(unavailable: String) {
        (executed, unexecuted, withoutCode) = (nil, nil, nil)
        self.unavailable = unavailable
    }

    private init(_ api: PublicAPI) {
        executed = api.executed
        unexecuted = api.unexecuted.map { Declaration(name: $0.name, path: $0.path, line: $0.line) }
        withoutCode = api.withoutCode
        unavailable = nil
    }

    /// Gets the public declarations from the toolchain, and their coverage from the run.
    package static func of(
        _ module: ModuleCoverage, in found: JudgedRun, _ process: ProcessContext
    ) async -> PublicSurface {
        if let reason = module.notMeasurable { return PublicSurface(unavailable: "it is not measurable: \(reason)") }
        // The manifest names the programs that are started for it.
        guard found.run.delivery == nil else {
            return PublicSurface(unavailable: "the run was made on another machine")
        }
        guard let directory = found.directory else { return PublicSurface(unavailable: "the run directory is gone") }
        do {
            let manifest = try directory.manifest()
            guard let target = manifest.modules.first(where: { Name($0.name) == Name(module.module) }) else {
                return PublicSurface(unavailable: "the run directory does not name it")
            }
            let graphs = try await SymbolExtraction(of: manifest, parentEnvironment: process.environment)
                .graphs(of: target)
            guard let export = try directory.coverageExport() else {
                return PublicSurface(unavailable: "the run exported no coverage")
            }
            return PublicSurface(PublicAPI(graphs, export: export, manifest: manifest))
        } catch {
            return PublicSurface(unavailable: "\(error)")
        }
    }

    /// For a terminal.
    package var lines: [String] {
        guard let executed, let unexecuted, let withoutCode else {
            return ["  public API: unknown, \(TerminalText.safe(unavailable ?? ""))"]
        }
        let all = executed + unexecuted.count
        let others = withoutCode > 0 ? ", \(Figures.counted(withoutCode, "other")) without code" : ""
        let summary = all == 0 ? "nothing to execute" : "\(executed) of \(Figures.counted(all, "declaration")) executed"
        return ["  public API: \(summary)\(others)"]
            + unexecuted.map {
                "    never executed: \(TerminalText.safe($0.path)):\($0.line) \(TerminalText.safe($0.name))"
            }
    }
}
