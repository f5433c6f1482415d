import Exports
import Gate
import RunModel
import Wording

/// Who owns a file or a test, and which lines of `CODEOWNERS` say so.
struct OwnerAnswer: Sendable, Encodable {
    /// A line of `CODEOWNERS`.
    struct Line: Sendable, Encodable {
        let line: Int
        let pattern: String
        let section: String?
    }

    /// How many tests whose name a text is a part of are answered for.
    private static let mostTests = 20

    /// The test; `nil` for a file.
    let test: String?
    /// The file, relative to the package; `nil` if it is not known.
    let path: String?
    let owners: [String]
    /// Who says so: `quarantine`, `codeowners` or `author`; `nil` where nobody is known.
    let source: String?
    let lines: [Line]
    /// The `CODEOWNERS` with these lines; `nil` where none is read.
    let file: String?

    /// Answers for places: a test by its name, tests by a part of it, or else a file.
    static func all(of places: [String], in run: TestRun, _ verdict: Verdict) -> [OwnerAnswer] {
        let found = places.map { Self.withoutDot($0) }.map { (place: $0, tests: tests(named: $0, in: run)) }
        let owners = RunOwners(run, verdict, others: found.flatMap(\.tests))
        return found.flatMap { place, tests in
            tests.isEmpty ? [OwnerAnswer(path: place, owners)] : tests.map { OwnerAnswer($0, owners) }
        }
    }

    /// `Sources/A.swift` of `./Sources/A.swift`, as shells complete it.
    private static func withoutDot(_ place: String) -> String {
        var place = Substring(place)
        while place.hasPrefix("./") { place = place.dropFirst(2).drop { $0 == "/" } }
        return String(place)
    }

    private static func tests(named place: String, in run: TestRun) -> [TestResult] {
        if let test = run.tests.first(where: { Name($0.id.description) == Name(place) }) { return [test] }
        let isFile = run.modules.contains { $0.sourcePaths.contains { Name($0) == Name(place) } }
        return isFile ? [] : Array(run.tests.lazy.filter { $0.id.description.contains(place) }.prefix(mostTests))
    }

    private init(_ test: TestResult, _ owners: RunOwners) {
        let owner = owners.owner(of: test)
        self.init(
            test: test.id.description, path: owners.file(of: test), owner?.names ?? [], source: owner?.code,
            owners.owners(of: test), owners)
    }

    private init(path: String, _ owners: RunOwners) {
        let found = owners.list?.owners(of: path)
        self.init(
            test: nil, path: path, found?.owners ?? [], source: found?.owners.isEmpty == false ? "codeowners" : nil,
            found, owners)
    }

    private init(
        test: String?, path: String?, _ names: [String], source: String?, _ found: FileOwners?, _ owners: RunOwners
    ) {
        (self.test, self.path, self.owners, self.source) = (test, path, names, source)
        lines = (found?.rules ?? []).map { Line(line: $0.line, pattern: $0.pattern, section: $0.section) }
        file = owners.list.flatMap { $0.fault == nil ? $0.file.path : nil }
    }

    /// For a person: `CoreTests.A/b (Tests/CoreTests/A.swift): @core, by .github/CODEOWNERS:12 '/Tests/'`.
    var text: String {
        let place = test.map { name in name + (path.map { " (\($0))" } ?? "") } ?? path ?? ""
        return TerminalText.safe("\(place): \(owners.isEmpty ? "nobody" : OwnerWords.list(owners)), \(reason)")
    }

    private var reason: String {
        let said = lines.map { line in
            let section = line.section.map { " in [\($0)]" } ?? ""
            return "\(file ?? ""):\(line.line) '\(line.pattern)'\(section)"
        }.joined(separator: ", ")
        switch source {
        case "quarantine": return "by the quarantine" + (said.isEmpty ? "" : ", else \(said)")
        case "author":
            let last = "who changed the line last"
            guard file != nil else { return last }
            return last + (said.isEmpty ? "; no line is about the file" : "; nobody by \(said)")
        default:
            guard said.isEmpty else { return owners.isEmpty ? "as \(said) says" : "by \(said)" }
            guard file != nil else { return "as no CODEOWNERS is read" }
            guard let path else { return "its file is not known" }
            return CodeOwners.isPath(path) ? "no line is about it" : "as it is no path of a file within the package"
        }
    }
}

/// What of one owner needs a look, as it is printed.
enum OwnerReport {
    /// For a person.
    static func text(_ digest: OwnerDigest) -> String {
        let points = digest.points.map { "\($0.title): \(Figures.grouped($0.count)), \($0.names)" }
        let lines = points + [digest.covered.map { "covered: \($0)" }].compactMap { $0 }
        let told = [digest.name] + (lines.isEmpty ? ["nothing"] : lines).map { "  \($0)" }
        return told.map { TerminalText.safe($0) }.joined(separator: "\n")
    }
}
