import Evidence
import Foundation
import RunModel
import TestResults

/// What Swift Build makes of a package: a library and a runner for each test target, in a folder that only SwiftPM can name.
struct BuiltFolder: Sendable, Hashable {
    /// The program that runs the tests of a target.
    struct Runner: Sendable, Hashable {
        /// The target's name in the compiler, by which its tests are called.
        var module: String
        /// The path of the program.
        var path: String
    }

    /// The folder, absolute.
    let path: String
    /// The runners, in the order of their targets.
    let runners: [Runner]
    /// The path of the runner of each listed test, by the name that its library gives it.
    var owners: [Name: String] = [:]
    /// The test targets that have no runner.
    let missing: [String]
    /// The folder with what was compiled on the way.
    private let intermediatesPath: String

    /// Looks for the runners of a package's test targets.
    ///
    /// - Parameters:
    ///   - path: What `swift build --show-bin-path` says, absolute.
    ///   - modules: The targets that the package is described to have.
    init(path: String, modules: [Module]) {
        self.path = path
        let top = ((path as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent
        intermediatesPath = "\(top)/Intermediates.noindex"
        var (runners, missing): ([Runner], [String]) = ([], [])
        for module in modules where module.kind == .test {
            let runner = "\(path)/\(module.name)\(TestProgram.runnerSuffix)"
            let files = [runner, "\(path)/\(module.name).so"]
            if files.allSatisfy({ FileManager.default.isReadableFile(atPath: $0) }) {
                runners.append(Runner(module: module.compilerName, path: runner))
            } else {
                missing.append(module.name)
            }
        }
        (self.runners, self.missing) = (runners, missing)
    }

    /// The maps of what each target and product was compiled to.
    func maps() throws(RunnerError) -> ObjectMaps {
        let manager = FileManager.default
        func entries(of folder: String) -> [String] {
            ((try? manager.contentsOfDirectory(atPath: folder)) ?? []).sorted().map { "\(folder)/\($0)" }
        }
        let configuration = (path as NSString).lastPathComponent
        let targets = entries(of: intermediatesPath).flatMap { entries(of: "\($0)/\(configuration)") }
        // `Objects-normal`, and `Objects-normal-tsan` with checks at run time.
        let folders = targets.flatMap(entries).filter { $0.contains("/Objects-normal") }
        let paths = folders.flatMap(entries).flatMap(entries)
        var maps = ObjectMaps()
        for path in paths where path.hasSuffix("-OutputFileMap.json") {
            let map = try onFileSystem("read", path) { try Data(contentsOf: URL(filePath: path)) }
            let objects = try ObjectList.objects(in: map, path).filter { manager.fileExists(atPath: $0.value) }
            if path.contains("-testable.build/") { maps.ofTests.append(objects) } else { maps.own.append(objects) }
        }
        return maps
    }

    /// The path of the runner that has a test; one that nobody listed is looked for in the first, and missed there.
    func runner(of test: DiscoveredTests.Entry) -> String? {
        owners[Name(test.name)] ?? runners.first { $0.module == test.id.module }?.path ?? runners.first?.path
    }

    /// A plan for each runner with all of its tests; without a list, or where no runner has any, with whatever it has.
    func plans(of discovered: DiscoveredTests?) -> [PassPlan] {
        guard let entries = discovered?.entries, !entries.isEmpty else {
            return runners.map { PassPlan(reason: .first, runner: $0.path) }
        }
        return runners.compactMap { runner in
            let own = entries.filter { self.runner(of: $0) == runner.path }
            return own.isEmpty ? nil : PassPlan(reason: .first, tests: own, isWhole: true, runner: runner.path)
        }
    }

    /// A plan split into one for each runner, in the order of their first tests.
    func split(_ plan: PassPlan) -> [PassPlan] {
        guard let tests = plan.tests, plan.runner == nil else { return [plan] }
        var parts: [PassPlan] = []
        for test in tests {
            let path = runner(of: test)
            if let index = parts.firstIndex(where: { $0.runner == path }) {
                parts[index].tests?.append(test)
            } else {
                var part = plan
                (part.tests, part.runner) = ([test], path)
                parts.append(part)
            }
        }
        return parts.isEmpty ? [plan] : parts
    }
}

/// Maps of what targets and products were compiled to: absolute paths of objects by those of sources.
struct ObjectMaps: Sendable, Hashable {
    /// Those of targets, and of executables as they are built.
    var own: [[String: String]] = []
    /// Those of executables as tests link them, without their main function.
    var ofTests: [[String: String]] = []

    /// The objects of a target; of an executable as it is built, which has all functions that tests have and its main one.
    func objects(of module: Module, packageRoot: String) -> [String: String] {
        let sources = module.sourcePaths.map { "\(packageRoot)/\($0)" }
        return (own + ofTests).first { map in sources.contains { map[$0] != nil } } ?? [:]
    }
}
