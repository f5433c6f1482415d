public import RunModel

extension TestMap.Function {
    /// Where it is: `lines 10–20`.
    public var place: String { "\(line == lastLine ? "line" : "lines") \(Figures.lines(lines))" }
}

extension TestMap.ExecutedFile {
    /// The lines that are executed: `10–12, 14`.
    public var ranges: String {
        lines.map { Figures.lines(Int($0.lowerBound)...Int($0.upperBound)) }.joined(separator: ", ")
    }
}
