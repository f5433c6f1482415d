import RunModel

/// A function as a method of Cobertura.
///
/// There are as many methods as the toolchain counts functions, and those that were called have a line with hits. A line
/// counts to the innermost function, as Java's compiler does it with lambdas, and the line on which a function begins
/// to that one too. So the lines of all methods are few, however deep closures are nested.
struct CoberturaMethod {
    private let function: SourceFunction
    private let isCalled: Bool
    private var lines: [LineCount] = []

    private init(_ function: SourceFunction, isCalled: Bool) {
        self.function = function
        self.isCalled = isCalled
    }

    /// The element `methods` of a file; an empty one where functions are unknown.
    ///
    /// Jenkins takes two methods of a class with the same name and signature for an error in the report, so the
    /// signature is the place where its name alone is not enough.
    static func elements(of file: FileCoverage) -> [String] {
        let methods = methods(of: file)
        guard !methods.isEmpty else { return ["          <methods/>"] }
        var names: Set<Name> = []
        let elements = methods.map { method in
            let name = XMLText.attribute(method.function.name)
            return method.element(name, isFirst: names.insert(Name(name)).inserted)
        }
        return ["          <methods>"] + elements + ["          </methods>"]
    }

    /// The functions of a file by their start, each with its lines.
    private static func methods(of file: FileCoverage) -> [CoberturaMethod] {
        var methods =
            (file.calledFunctions ?? []).map { CoberturaMethod($0, isCalled: true) }
            + (file.unexecuted?.functions ?? []).map { CoberturaMethod($0, isCalled: false) }
        methods.sort { ($0.function.line, $0.function.column) < ($1.function.line, $1.function.column) }
        var next = 0
        var open: [Int] = []
        for line in file.lines {
            while let last = open.last, methods[last].function.endLine < line.line { open.removeLast() }
            var hasBegun = false
            while next < methods.count, methods[next].function.line <= line.line {
                let begins = methods[next].function.line == line.line
                if begins { methods[next].add(line) }
                if methods[next].function.endLine >= line.line { open.append(next) }
                hasBegun = hasBegun || begins
                next += 1
            }
            if !hasBegun, let innermost = open.last { methods[innermost].add(line) }
        }
        return methods
    }

    /// Adds a line. If the function was never called, its lines count as not executed, even one that it shares with executed code.
    private mutating func add(_ line: LineCount) {
        lines.append(isCalled ? line : LineCount(line: line.line, count: ExecutionCount(0)))
    }

    /// The element on one line: there are as many of these as of lines, and GitLab takes no more than 10 MiB.
    private func element(_ name: String, isFirst: Bool) -> String {
        let tally = CoverageTally(covered: lines.count { $0.count.isCovered }, total: lines.count)
        let signature = isFirst ? "" : "(\(function.line):\(function.column))"
        let start =
            #"            <method name="\#(name)" signature="\#(signature)" line-rate="\#(CoberturaReport.rate(tally))""#
            + #" branch-rate="0" complexity="0"><lines>"#
        let own = lines.map { #"<line number="\#($0.line)" hits="\#(CoberturaReport.hits($0.count))"/>"# }
        return start + own.joined() + "</lines></method>"
    }
}
