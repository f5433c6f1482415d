import RunModel

/// Tells apart tests of one name in several suites: of several projects, browsers, platforms or folders.
///
/// While reports are read, the discriminator of a test holds a mark of its suite, so that sorting brings together what is of one
/// name and keeps the order of the reports.
struct ForeignSuites {
    private var files: [[XUnitReport.SuiteLabel]] = []
    private var last: (suite: Int, mark: String)?

    /// A report with results begins.
    mutating func beginFile() {
        files.append([])
        last = nil
    }

    /// All of it was read.
    mutating func endFile(_ suites: [XUnitReport.SuiteLabel]) { files[files.count - 1] = suites }

    /// The mark of a suite in the report that is being read; short enough to take no memory of its own.
    mutating func mark(of suite: Int) -> String {
        if let last, last.suite == suite { return last.mark }
        func digits(_ number: Int, _ width: Int) -> String {
            let text = String(number, radix: 36)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        let mark = "\u{1}\(digits(files.count - 1, 4))\(digits(suite, 6))"
        last = (suite, mark)
        return mark
    }

    /// Whether a discriminator is such a mark.
    func isMark(_ discriminator: String) -> Bool { discriminator.utf8.first == 1 }

    private func suite(_ mark: String) -> (file: Int, label: XUnitReport.SuiteLabel) {
        let file = Int(mark.dropFirst().prefix(4), radix: 36) ?? 0
        let suite = Int(mark.dropFirst(5), radix: 36) ?? 0
        return (file, files[file].indices.contains(suite) ? files[file][suite] : XUnitReport.SuiteLabel())
    }

    /// The discriminators of tests of one name, by their marks, which are given in their order.
    ///
    /// Suites of one name in several reports are one suite: a shard, or the same again. In one report they are several.
    func labels(of marks: [String]) -> [Name: String] {
        var distinct: [String] = []
        for mark in marks where isMark(mark) && mark != distinct.last { distinct.append(mark) }
        let suites = distinct.map { suite($0) }
        let isInSeveral = Set(suites.map { Name($0.label.path) }).count > 1
        var groups: [Place: [Int]] = [:]
        for (number, suite) in suites.enumerated() {
            groups[Place(file: suite.file, path: Name(suite.label.path)), default: []].append(number)
        }
        var labels: [Name: String] = [:]
        for group in groups.values {
            let more = Self.distinction(of: group.map { suites[$0].label })
            for (number, suite) in group.enumerated() {
                let path = isInSeveral ? suites[suite].label.path : ""
                labels[Name(distinct[suite])] = [path, more[number]].filter { !$0.isEmpty }.joined(separator: " ")
            }
        }
        return labels
    }

    private struct Place: Hashable {
        let file: Int
        let path: Name
    }

    /// What tells apart suites of one name in one report.
    private static func distinction(of suites: [XUnitReport.SuiteLabel]) -> [String] {
        guard suites.count > 1 else { return [""] }
        for texts in [suites.map(\.package), suites.map(\.host)] {
            // The name of a machine would be another one in the next run; it mostly has a digit or a dot, and a project has none.
            let isStable = texts.allSatisfy { !$0.isEmpty && !$0.contains { $0.isNumber || $0 == "." } }
            if isStable, Set(texts.map { Name($0) }).count == texts.count { return texts }
        }
        return suites.indices.map { $0 == 0 ? "" : "suite \($0 + 1)" }
    }
}
