import RunModel

/// Builds coverage from the elements of a Cobertura report.
///
/// Only the lines of classes count: those of methods say the same again. A line that several classes of one file name was
/// executed as often as the class says that knows most of it. Source: coverage-04.dtd of Cobertura.
struct CoberturaBuilder: XMLHandler {
    private(set) var coverage = ForeignCoverage()
    private(set) var fault: String?
    let budget: EvidenceBudget

    init(_ budget: EvidenceBudget) { self.budget = budget }

    private enum Element: Equatable {
        case root, sources, source, packages, package, classes, fileClass, methods, method, lines, line, other
    }

    private var open: [Element] = []
    private var sources: [String] = []
    private var text: [UInt8] = []
    private var package = ""
    private var file: ForeignCoverage.File?
    private var isMethodCovered = false
    private var hasPackages = false

    /// Reads a report.
    ///
    /// - Throws: `EvidenceError` with the place for anything that is not one complete report.
    static func read(
        _ report: ForeignReport, _ budget: EvidenceBudget = EvidenceBudget()
    ) throws(EvidenceError) -> ForeignCoverage {
        var builder = CoberturaBuilder(budget)
        try report.lent { document throws(EvidenceError) in
            do throws(XMLFault) {
                _ = try XMLPushParser.parse(
                    document, into: &builder, documentType: .skipped, isPartialAllowed: false)
            } catch {
                throw EvidenceError(error, file: report.path)
            }
        }
        guard builder.hasPackages else {
            throw .malformed(file: report.path, line: 1, column: 1, reason: "a coverage report without packages")
        }
        builder.coverage.settle { $0.raw < $1.raw ? $1 : $0 }
        return builder.coverage
    }

    mutating func start(_ name: XMLBytes, _ attributes: XMLAttributes) {
        let element = meaning(of: name)
        open.append(element)
        switch element {
        case .source: text = []
        case .packages: hasPackages = true
        case .package: package = attributes.text("name") ?? ""
        case .fileClass:
            guard let path = attributes.text("filename"), !path.isEmpty else { return fail("a class without a file") }
            file = ForeignCoverage.File(path: located(path), group: package)
            budget.count(.entry)
            budget.count(path)
            budget.count(package)
        case .method: isMethodCovered = false
        case .line: takeLine(attributes)
        case .root, .sources, .classes, .methods, .lines, .other: break
        }
    }

    mutating func text(_ bytes: XMLBytes) {
        guard open.last == .source else { return }
        text += bytes
        if text.count > RunManifest.longestText { fail("a source of more than \(RunManifest.longestText) bytes") }
    }

    mutating func end() {
        switch open.popLast() {
        case .source:
            sources.append(String(decoding: text, as: UTF8.self))
            budget.count(.name)
            budget.count(bytes: text.count)
        case .method:
            file?.functions.total += 1
            if isMethodCovered { file?.functions.covered += 1 }
        case .fileClass:
            endClass()
        default: break
        }
    }

    private mutating func takeLine(_ attributes: XMLAttributes) {
        let number = attributes["number"].flatMap { StrictNumber.count($0) }.flatMap { Int32(exactly: $0) } ?? 0
        guard number > 0 else { return fail("a line without a number") }
        guard number <= CoverageLimit.lineNumber else { return fail("line \(number), which no file has") }
        guard let hits = attributes["hits"].flatMap({ StrictNumber.unsigned($0) }) else {
            return fail("the hits of line \(number) are no count")
        }
        if open.contains(.method) {
            isMethodCovered = isMethodCovered || hits > 0
        } else {
            budget.count(.line, 2)
            file?.lines.append(LineCount(line: number, count: ExecutionCount(hits)))
            guard (file?.lines.count ?? 0) <= CoverageLimit.lines else {
                return fail("more than \(CoverageLimit.lines) lines")
            }
        }
    }

    private mutating func endClass() {
        guard var ended = file else { return }
        file = nil
        ended.lines.unite { $0.adding($1) }
        do throws(ForeignCoverage.TooMany) {
            try coverage.addClass(ended)
        } catch {
            fail(error.reason)
        }
    }

    private mutating func fail(_ reason: String) {
        if fault == nil { fault = reason }
    }

    /// The name of a file with the folder it is relative to, where there is one such folder.
    private func located(_ path: String) -> String {
        guard path.utf8.first != UInt8(ascii: "/"), sources.count == 1, sources[0].utf8.first == UInt8(ascii: "/")
        else {
            return path
        }
        return "\(sources[0])/\(path)"
    }

    private func meaning(of name: XMLBytes) -> Element {
        switch open.last {
        case nil: name.equals("coverage") ? .root : .other
        case .root: name.equals("sources") ? .sources : name.equals("packages") ? .packages : .other
        case .sources: name.equals("source") ? .source : .other
        case .packages: name.equals("package") ? .package : .other
        case .package: name.equals("classes") ? .classes : .other
        case .classes: name.equals("class") ? .fileClass : .other
        case .fileClass: name.equals("methods") ? .methods : name.equals("lines") ? .lines : .other
        case .methods: name.equals("method") ? .method : .other
        case .method: name.equals("lines") ? .lines : .other
        case .lines: name.equals("line") ? .line : .other
        default: .other
        }
    }
}
