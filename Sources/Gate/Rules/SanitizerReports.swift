import RunModel

/// A sanitizer that the package is built with reports nothing.
enum SanitizerReports: Rule {
    static let code = "sanitizer"

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        findings.violations += input.run.notes.filter { $0.code == .sanitizerReport }.map {
            .sanitizer(said: $0.detail)
        }
    }

    static func summary(_ count: Int) -> String { Figures.counted(count, "report") + " of a sanitizer" }
}

extension Violation {
    /// A sanitizer reported an error; `said` is untrusted text.
    public static func sanitizer(said: String) -> Violation {
        Violation(
            rule: SanitizerReports.code, subject: .tests, title: "a sanitizer", reason: "reports: \(said)",
            hint: ReasonCode.sanitizerReport.remedy)
    }

    var isOfSanitizer: Bool { rule == SanitizerReports.code }
}
