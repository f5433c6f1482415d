import Foundation
public import Gate
public import RunModel

/// The coverage of a run as Cobertura XML: one package for every module, one class for every file, one method for every
/// function where functions are known one by one.
///
/// Jenkins reads a count as a 32-bit number and takes a larger one for 0. So counts are at most 2,147,483,647, and an
/// unknown count is written as 1.
public enum CoberturaReport {
    /// Renders the coverage that counts; `nil` if there is none, because readers that get an empty report reject all
    /// others too.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - verdict: Says which files are excluded.
    ///   - packageRoot: The package's folder as an absolute path.
    ///   - pathPrefix: The package's folder relative to the repository, if it is not the top of it.
    public static func render(
        _ run: TestRun, _ verdict: Verdict, packageRoot: String, pathPrefix: String = ""
    ) -> String? {
        let files = verdict.countedFiles(of: run.coverage)
        guard !files.isEmpty else { return nil }
        let root = sourceRoot(packageRoot, without: pathPrefix)
        let modules = Dictionary(grouping: files) { Name($0.module) }.sorted { $0.key < $1.key }
            .map { (name: $0.key.text, files: $0.value) }

        let all = tally(files)
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<coverage line-rate="\#(rate(all))" branch-rate="0" lines-covered="\#(all.covered)" lines-valid="\#(all.total)""#
                + #" branches-covered="0" branches-valid="0" complexity="0" version="kanmon""#
                + #" timestamp="\#(milliseconds(run.startedAt))">"#,
            "  <sources>", "    <source>\(XMLText.content(root))</source>", "  </sources>", "  <packages>",
        ]
        if let words = verdict.reservation(of: run) { lines.insert(XMLText.comment(words), at: 1) }
        for module in modules {
            lines.append(
                #"    <package name="\#(XMLText.attribute(module.name))" line-rate="\#(rate(tally(module.files)))""#
                    + #" branch-rate="0" complexity="0">"#
            )
            lines.append("      <classes>")
            for file in module.files { lines += element(file, pathPrefix: pathPrefix) }
            lines += ["      </classes>", "    </package>"]
        }
        lines += ["  </packages>", "</coverage>\n"]
        return lines.joined(separator: "\n")
    }

    /// Milliseconds since 1970; 0 if out of range.
    private static func milliseconds(_ date: Date) -> Int64 {
        Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded(.down)) ?? 0
    }

    private static func element(_ file: FileCoverage, pathPrefix: String) -> [String] {
        let path = RepositoryPath.of(file.path, in: pathPrefix)
        let name = String(decoding: file.path.utf8.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
        let start =
            #"        <class name="\#(XMLText.attribute(name))" filename="\#(XMLText.attribute(path))""#
            + #" line-rate="\#(rate(file.lineTally))" branch-rate="0" complexity="0">"#
        let lines = file.lines.map { #"            <line number="\#($0.line)" hits="\#(hits($0.count))"/>"# }
        return [start] + CoberturaMethod.elements(of: file) + ["          <lines>"] + lines + [
            "          </lines>", "        </class>",
        ]
    }

    static func hits(_ count: ExecutionCount) -> UInt64 {
        guard let value = count.value else { return 1 }
        return min(value, UInt64(Int32.max))
    }

    private static func tally(_ files: [FileCoverage]) -> CoverageTally {
        files.reduce(CoverageTally()) { $0 + $1.lineTally }
    }

    /// Four decimals, rounded down; 1 only if everything is covered.
    static func rate(_ tally: CoverageTally) -> String {
        guard tally.total > 0, tally.covered < tally.total else { return tally.total > 0 ? "1" : "0" }
        let digits = String(tally.covered * 10_000 / tally.total)
        return "0." + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// The folder that the file names are relative to.
    private static func sourceRoot(_ packageRoot: String, without pathPrefix: String) -> String {
        let suffix = "/" + pathPrefix
        guard !pathPrefix.isEmpty, packageRoot.utf8.count > suffix.utf8.count, packageRoot.hasSuffix(suffix) else {
            return packageRoot
        }
        return String(decoding: packageRoot.utf8.dropLast(suffix.utf8.count), as: UTF8.self)
    }
}
