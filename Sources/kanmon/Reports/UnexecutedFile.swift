import Exports
import RunModel
import Wording

/// The unexecuted code of a file: functions that were never called, parts of lines.
struct UnexecutedFile: Sendable, Encodable {
    /// One function; closures inside of it are counted.
    struct Function: Sendable, Encodable {
        let name: String
        let line: Int
        let endLine: Int
        let inside: Int
    }

    let path: String
    /// `nil` if they were not recorded one by one.
    let uncalledFunctions: [Function]?
    /// `12:14–26`: line and columns, in characters where the text is kept.
    let missedParts: [String]

    /// The files of a module with unexecuted code, by path; empty if the run directory is gone.
    static func all(
        of module: String, in run: TestRun, line: (_ path: String, _ line: Int) -> String?
    ) -> [UnexecutedFile] {
        (run.coverage?.files ?? []).filter { Name($0.module) == Name(module) }.compactMap { file in
            guard let code = file.unexecuted, code.summary != nil else { return nil }
            return UnexecutedFile(
                path: file.path,
                uncalledFunctions: code.functions == nil
                    ? nil
                    : code.outermostFunctions.map { entry in
                        Function(
                            name: entry.function.name, line: Int(entry.function.line),
                            endLine: Int(entry.function.endLine), inside: entry.inside)
                    },
                missedParts: code.parts.map { $0.words(in: line(file.path, Int($0.line))) })
        }
    }

    /// For a terminal.
    var lines: [String] {
        let isImplicit = { (function: Function) in function.name.hasPrefix("implicit closure #") }
        let functions = (uncalledFunctions ?? []).filter { !isImplicit($0) }.map { function in
            let closures = function.inside > 0 ? " and \(Figures.counted(function.inside, "closure")) in it" : ""
            return "    never called: \(function.line) \(TerminalText.safe(function.name))\(closures)"
        }
        // The compiler makes them, for instance from the message of a precondition or the right side of `??`.
        let implicit = (uncalledFunctions ?? []).filter(isImplicit).map { String($0.line) }
        let closures =
            implicit.isEmpty
            ? []
            : [
                "    never called: \(Figures.counted(implicit.count, "implicit closure")) in \(implicit.joined(separator: ", "))"
            ]
        let parts = missedParts.isEmpty ? [] : ["    in part: \(missedParts.joined(separator: ", "))"]
        return ["  \(TerminalText.safe(path))"] + functions + closures + parts
    }
}
