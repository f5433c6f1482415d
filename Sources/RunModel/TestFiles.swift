/// The files that tests are declared in, as far as known from a run.
///
/// XCTest does not record where a test is declared. It is assumed to be in the file of another test of its suite, in
/// the file that is named after its class, or in the only file of its target.
public struct TestFiles: Sendable {
    private var bySuite: [Suite: String] = [:]
    private var sources: [Name: [String]] = [:]
    /// A file for tests whose file is unknown: the first of a test, else of a test target, else the manifest.
    public let any: String

    /// A suite of a test target, compared byte by byte.
    private struct Suite: Hashable {
        let module: Name
        let suite: Name

        init(_ id: TestID) {
            module = Name(id.module)
            suite = Name(id.suite)
        }
    }

    /// Collects what the tests and the targets of a run say.
    public init(_ run: TestRun) { self.init(tests: run.tests, targets: run.modules) }

    /// Collects what the tests of a run that are known and the targets of its package say.
    public init(tests: [TestResult], targets: [Module]) {
        for module in targets where module.kind == .test {
            sources[Name(module.compilerName)] = module.sourcePaths
        }
        for test in tests where !test.id.suite.isEmpty {
            if let location = test.location { bySuite[Suite(test.id)] = location.path }
        }
        any =
            tests.lazy.compactMap(\.location?.path).first
            ?? targets.lazy.filter { $0.kind == .test }.compactMap(\.sourcePaths.first).first ?? "Package.swift"
    }

    /// Relative to the package; `nil` if unknown.
    public func file(of test: TestResult) -> String? {
        if let location = test.location { return location.path }
        if let path = bySuite[Suite(test.id)] { return path }
        let own = sources[Name(test.id.module)] ?? []
        let name = Array("\(test.id.suite.prefix { $0 != "/" }).swift".utf8)
        let matching = own.filter { path in
            path.utf8.elementsEqual(name) || path.utf8.suffix(name.count + 1).elementsEqual([UInt8(ascii: "/")] + name)
        }
        if matching.count == 1 { return matching[0] }
        return own.count == 1 ? own[0] : nil
    }
}
