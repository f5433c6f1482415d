import RunModel

/// The exit statuses of `kanmon`: one table, and one mapping from a verdict.
public enum ExitStatus: Int32, Sendable, Hashable, CaseIterable {
    case passed = 0
    case testsFailed = 1
    case gateFailed = 2
    case buildFailed = 3
    case undecided = 4
    case noTests = 5
    case usage = 64
    case badInput = 65
    case internalError = 70
    case ioError = 74
    case badConfiguration = 78

    /// The status for a verdict: a failed build before a gap, a gap before a failed test, a failed test before a rule.
    ///
    /// It follows what the verdict lists, so that none that names a gap or a violation can be taken for passed.
    init(_ verdict: Verdict) {
        if verdict.violations.contains(where: \.isBuildFailure) {
            self = .buildFailed
        } else if !verdict.gaps.isEmpty {
            self = verdict.gaps.allSatisfy(\.saysNothingRan) ? .noTests : .undecided
        } else if verdict.violations.contains(where: { $0.isTestFailure || $0.isOfSanitizer }) {
            self = .testsFailed
        } else if !verdict.violations.isEmpty {
            self = .gateFailed
        } else {
            switch verdict.decision {
            case .passed: self = .passed
            case .failed: self = .gateFailed
            case .undecided: self = .undecided
            }
        }
    }

    /// The gravest of several statuses: a bug before the disk before the settings before the build, then what is unknown,
    /// then what failed. 0 when none is given.
    public static func gravest(of statuses: some Sequence<ExitStatus>) -> ExitStatus {
        let order: [ExitStatus] = [
            .internalError, .ioError, .badConfiguration, .usage, .badInput, .buildFailed, .undecided, .noTests,
            .testsFailed, .gateFailed,
        ]
        let given = Set(statuses)
        return order.first(where: given.contains) ?? .passed
    }

    /// One line that says what the status means.
    public var meaning: String {
        switch self {
        case .passed: "everything that was asked for was done, and the verdict is passed"
        case .testsFailed: "one or more tests failed"
        case .gateFailed: "the tests passed, but a rule of the gate is violated"
        case .buildFailed: "the package or its tests do not compile"
        case .undecided: "evidence is missing, cut short, stale or contradictory"
        case .noTests: "nothing ran"
        case .usage: "the command line is wrong"
        case .badInput: "the input data is wrong"
        case .internalError: "a bug in Kanmon"
        case .ioError: "input, output, the database or a required delivery failed"
        case .badConfiguration: "the configuration is wrong"
        }
    }
}

extension Gap {
    /// Whether it says that there was nothing to run, rather than that something was lost.
    var saysNothingRan: Bool { code == .noTests || code == .allSkipped }
}
