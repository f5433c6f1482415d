package import Evidence
import RunModel

/// Builds coverage from the elements of a Cobertura report.
///
/// What a name means does not depend on the elements around it. The lines of methods count where their class has none of its own:
/// most writers tell them again for the class, and some only there. Istanbul names the line where a function begins below its method
/// alone, although no statement stands on it, and does not count it. A line that several classes of one file name was executed as
/// often as the class says that knows most of it. Source: coverage-04.dtd of Cobertura.
package struct CoberturaBuilder: XMLHandler {
    private(set) var coverage = ForeignCoverage()
    package private(set) var fault: String?
    package let budget: EvidenceBudget

    init(_ budget: EvidenceBudget) { self.budget = budget }

    private enum Element: Equatable {
        case source, packages, package, fileClass, method, line, other
    }

    /// A class that is open.
    private struct FileClass {
        var file: ForeignCoverage.File
        /// The lines that are listed in its methods.
        var methodLines: [LineCount] = []
        /// How many lines it names itself, and how many its methods do, those that are left out included.
        var own = LineClaims.Tally()
        var inMethods = LineClaims.Tally()
    }

    /// A method that is open: whether it was called, where a line of it or its rate says so.
    private struct Method {
        var isCovered: Bool
        var hasLines = false
    }

    private var open: [Element] = []
    private var sources: [String] = []
    private var text: [UInt8] = []
    private var package = ""
    private var classes: [FileClass] = []
    private var methods: [Method] = []
    private var malformedLines = MalformedLines()
    private var hasPackages = false
    /// What the report as a whole counts, and what its classes name.
    private var claimed = LineClaims.Tally()
    private var named = LineClaims.Tally()
    private var claims = LineClaims()
    /// Whether there is any line.
    private var hasLines = false

    /// Reads a report.
    ///
    /// - Throws: `EvidenceError` with the place for anything that is not one complete report.
    package static func read(
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
        if let reason = builder.refusal { throw .malformed(file: report.path, line: 1, column: 1, reason: reason) }
        builder.coverage.locate(in: builder.sources)
        builder.coverage.settle { $0.raw < $1.raw ? $1 : $0 }
        var claims = builder.claims
        claims.compare(builder.claimed, with: builder.named, of: "the report")
        builder.coverage.remarks = builder.malformedLines.remarks + claims.remarks
        builder.coverage.missing = claims.missing
        return builder.coverage
    }

    /// Clover and SonarQube's format have the same root.
    private static let otherFormat = "a coverage report without packages, which is not Cobertura's"

    /// Why the report as a whole says nothing.
    private var refusal: String? {
        guard hasPackages else { return Self.otherFormat }
        if claimed.lines > 0, !hasLines { return "a report that counts \(claimed.lines) lines and names none" }
        return malformedLines.refusal
    }

    package mutating func start(_ name: XMLBytes, _ attributes: XMLAttributes) {
        let element = Self.meaning(of: name)
        if open.isEmpty {
            takeClaim(attributes["lines-valid"])
            claimed.executed = attributes["lines-covered"].flatMap { StrictNumber.total($0) } ?? 0
        }
        open.append(element)
        switch element {
        case .source: text = []
        case .packages: hasPackages = true
        case .package: package = attributes.text("name") ?? ""
        case .fileClass:
            guard hasPackages else { return fail(Self.otherFormat) }
            // Nobody knows where the lines of a class without a file are: each is left out.
            let path = attributes.text("filename") ?? ""
            classes.append(FileClass(file: ForeignCoverage.File(path: path, group: package)))
            budget.count(.entry)
            budget.count(path)
            budget.count(package)
        case .method:
            let rate = attributes["line-rate"].flatMap { StrictNumber.executions(StrictNumber.trimmed($0)) }
            methods.append(Method(isCovered: (rate?.count ?? 0) > 0))
        case .line: takeLine(attributes)
        case .other: break
        }
    }

    package mutating func text(_ bytes: XMLBytes) {
        guard open.last == .source else { return }
        text += bytes
        if text.count > RunManifest.longestText { fail("a source of more than \(RunManifest.longestText) bytes") }
    }

    package mutating func end() {
        switch open.popLast() {
        case .source:
            let source = String(decoding: text, as: UTF8.self).drop { $0.isWhitespace }
            let end = source.lastIndex { !$0.isWhitespace }.map { source.index(after: $0) } ?? source.startIndex
            sources.append(String(source[..<end]))
            budget.count(.name)
            budget.count(bytes: text.count)
        case .method:
            guard let method = methods.popLast(), !classes.isEmpty else { return }
            classes[classes.count - 1].file.functions.total += 1
            if method.isCovered { classes[classes.count - 1].file.functions.covered += 1 }
        case .fileClass: endClass()
        default: break
        }
    }

    /// Takes how many lines the report counts; an empty attribute says as little as none.
    private mutating func takeClaim(_ value: XMLBytes?) {
        guard let value, !StrictNumber.trimmed(value).isEmpty else { return }
        if let lines = StrictNumber.total(value) {
            claimed.lines = lines
        } else {
            let word = String(decoding: value.prefix(32), as: UTF8.self)
            claims.noteUnreadable("the report says lines-valid=\"\(word)\"")
        }
    }

    private mutating func takeLine(_ attributes: XMLAttributes) {
        hasLines = true
        guard !classes.isEmpty else { return fail(hasPackages ? "a line outside of a class" : Self.otherFormat) }
        func word(_ name: StaticString) -> String { attributes.text(name).map { String($0.prefix(32)) } ?? "" }
        let last = classes.count - 1
        let path = classes[last].file.path
        let told = attributes["hits"].flatMap { StrictNumber.executions(StrictNumber.trimmed($0)) }
        // What is left out is said of it; it is named all the same.
        let isExecuted = told.map { $0.count > 0 } ?? true
        if methods.isEmpty {
            classes[last].own.add(isExecuted: isExecuted)
        } else {
            classes[last].inMethods.add(isExecuted: isExecuted)
        }
        guard !path.isEmpty else { return malformedLines.leaveOut("line \(word("number")) of a class without a file") }
        guard let number = attributes["number"].flatMap({ StrictNumber.count(StrictNumber.trimmed($0)) }) else {
            return malformedLines.leaveOut("\(path), a line without a number")
        }
        guard number > 0, number <= CoverageLimit.lineNumber else {
            return malformedLines.leaveOut("\(path), line \(number), which no file has")
        }
        guard let hits = told else {
            return malformedLines.leaveOut("\(path), line \(number), whose hits '\(word("hits"))' are no count")
        }
        malformedLines.take()
        if !hits.isWhole {
            malformedLines.noteCount("\(path), line \(number), \(word("hits"))")
        }
        budget.count(.line, 2)
        let line = LineCount(line: Int32(number), count: ExecutionCount(hits.count))
        if methods.isEmpty {
            classes[last].file.lines.append(line)
        } else {
            let method = methods.count - 1
            // The lines say more than a rate.
            methods[method].isCovered = hits.count > 0 || methods[method].hasLines && methods[method].isCovered
            methods[method].hasLines = true
            classes[last].methodLines.append(line)
        }
        guard classes[last].file.lines.count + classes[last].methodLines.count <= CoverageLimit.lines else {
            return fail("more than \(CoverageLimit.lines) lines")
        }
    }

    private mutating func endClass() {
        guard let ended = classes.popLast() else { return }
        var file = ended.file
        named = named + (ended.own.lines > 0 ? ended.own : ended.inMethods)
        guard !file.path.isEmpty else { return }
        if file.lines.isEmpty {
            file.lines = ended.methodLines
            file.lines.unite { $0.raw < $1.raw ? $1 : $0 }
        } else {
            file.lines.unite { $0.adding($1) }
        }
        do throws(ForeignCoverage.TooMany) {
            try coverage.addClass(file)
        } catch {
            fail(error.reason)
        }
    }

    private mutating func fail(_ reason: String) {
        if fault == nil { fault = reason }
    }

    private static func meaning(of name: XMLBytes) -> Element {
        // The length decides most: most elements are lines.
        switch name.count {
        case 4: name.equals("line") ? .line : .other
        case 5: name.equals("class") ? .fileClass : .other
        case 6: name.equals("source") ? .source : name.equals("method") ? .method : .other
        case 7: name.equals("package") ? .package : .other
        case 8: name.equals("packages") ? .packages : .other
        default: .other
        }
    }
}
