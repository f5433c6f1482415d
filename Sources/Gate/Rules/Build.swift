public import RunModel

/// The package and its tests compile.
enum BuildRule: Rule {
    static let code = "build"

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        guard input.run.buildFailed else { return }
        let errors = input.run.diagnostics.filter { $0.severity == .error }
        findings.violations.append(
            .buildFailed(errors: errors.count, first: errors.first { $0.location != nil } ?? errors.first))
    }

    static func summary(_ count: Int) -> String { "build failed" }
    static func headline(_ violations: [Violation]) -> [String] { violations.map(\.sentence) }
}

extension Violation {
    /// The package or its tests do not compile.
    public static func buildFailed(errors: Int, first: BuildDiagnostic?) -> Violation {
        Violation(
            rule: BuildRule.code, subject: .build, title: "the build",
            reason: "failed" + (errors > 0 ? " with \(Figures.counted(errors, "error"))" : ""),
            observed: Figures.counted(errors, "error"),
            message: first.map { Message(text: $0.message, location: $0.location) })
    }
}
