public import Gate
public import RunModel

/// Settings that cannot be used; nothing runs with them.
public enum SettingsError: Error, Sendable, Hashable {
    /// The file is too large.
    case tooLarge(file: String, bytes: Int, limit: Int)
    /// A list has more entries, or more patterns with wildcards, than are judged.
    case tooMany(file: String, problem: String)
    /// The text is not YAML.
    case syntax(Place, problem: String, hint: String?)
    /// The text uses a part of YAML that settings do not need.
    case unsupported(Place, what: String, hint: String)
    /// An unknown key.
    case unknownKey(Place, section: String, key: String, known: [String])
    /// A key that is set twice.
    case duplicateKey(Place, key: String)
    /// A value of the wrong type.
    case wrongType(Place, key: String, expected: String, found: String, hint: String?)
    /// An invalid value of the right type.
    case badValue(Place, key: String, problem: String, hint: String?)
    /// A floor on branches, which Swift does not record.
    case noBranchCoverage(Place, module: String)
    /// An environment variable with an invalid value.
    case badEnvironment(name: String, problem: String, hint: String?)
    /// More than one test process, with an engine that supports only one.
    case jobsNeedDirect(jobs: Setting<Int>, engine: Origin)
    /// Tests of a build system that are started directly, with an engine that does not.
    case buildSystemNeedsDirect(system: Setting<BuildSystem>, engine: Origin)
    /// A test target that the package does not have.
    case unknownBundle(Origin, name: String, known: [String])
    /// A rule that does not fit the package.
    case policy(Origin, PolicyError)
}

extension SettingsError: CustomStringConvertible {
    /// The place and the problem; may contain untrusted text from the file.
    public var description: String {
        switch self {
        case .tooLarge(let file, let bytes, let limit):
            "\(file): \(bytes) bytes are more than the \(limit) that settings may have"
        case .tooMany(let file, let problem):
            "\(file): \(problem)"
        case .syntax(let place, let problem, _):
            "\(place): not valid YAML: \(problem)"
        case .unsupported(let place, let what, _):
            "\(place): \(what) not supported in settings"
        case .unknownKey(let place, let section, let key, _):
            "\(place): unknown key '\(key)'" + (section.isEmpty ? "" : " in \(section)")
        case .duplicateKey(let place, let key):
            "\(place): '\(key)' is set more than once"
        case .wrongType(let place, let key, let expected, let found, _):
            "\(place): \(key) must be \(expected), not \(found)"
        case .badValue(let place, let key, let problem, _):
            "\(place): \(key): \(problem)"
        case .noBranchCoverage(let place, let module):
            "\(place): coverage.modules.\(module): Swift has no branch coverage, so that no branch can have a floor"
        case .badEnvironment(let name, let problem, _):
            "environment \(name): \(problem)"
        case .jobsNeedDirect(let jobs, let engine):
            "\(jobs.origin): \(jobs.value) test processes at a time are started directly, and \(engine) says 'swift-test'"
        case .buildSystemNeedsDirect(let system, let engine):
            "\(system.origin): tests that \(system.value.rawValue) has built are started directly, and \(engine) says 'swift-test'"
        case .unknownBundle(let origin, let name, _):
            "\(origin): tests.bundles: there is no test target '\(name)'"
        case .policy(let origin, let error):
            "\(origin): \(error)"
        }
    }

    /// What to change, if known.
    public var hint: String? {
        switch self {
        case .tooMany: "write one pattern for many entries, or fewer entries"
        case .tooLarge: "name the file that is meant to hold the settings"
        case .syntax(_, _, let hint), .wrongType(_, _, _, _, let hint), .badValue(_, _, _, let hint),
            .badEnvironment(_, _, let hint):
            hint
        case .unsupported(_, _, let hint): hint
        case .unknownKey(_, _, let key, let known):
            Spelling.nearest(to: key, among: known).map { "write '\($0)'" }
                ?? "the keys here are \(known.map { "'\($0)'" }.joined(separator: ", "))"
        case .unknownBundle(_, let name, let known):
            Spelling.nearest(to: name, among: known).map { "write '\($0)'" }
                ?? (known.isEmpty
                    ? "the package has no test target"
                    : "the test targets are \(known.map { "'\($0)'" }.joined(separator: ", "))")
        case .jobsNeedDirect: "leave out the engine, or run one process at a time with --jobs 1"
        case .buildSystemNeedsDirect: "leave out the engine: swift test keeps the coverage of one test target only"
        case .duplicateKey: "keep one of them"
        case .noBranchCoverage: "write 'region', which parts a line at its conditions"
        case .policy(_, let error): error.hint
        }
    }
}
