import Evidence
import RunModel
import TestResults

/// What is started in each step, with which arguments and environment: values, without any process.
struct TestInvocation: Sendable, Hashable {
    /// The toolchain's programs.
    var tools: ToolPaths
    /// The package's folder.
    var packageRoot: String
    /// The folder for build products.
    var scratchPath: String
    /// The package's name, which SwiftPM names the test product after.
    var package: String
    /// The allow-listed environment of the tests.
    var environment: [String: String]
    /// That of SwiftPM, which has git's settings too; `nil` for that of the tests.
    var buildVariables: [String: String]?
    /// Where evidence and intermediate files go.
    var files: RunFiles
    /// What is loaded into the processes of the tests; `nil` when it could not be compiled.
    var libraries: PreloadLibraries?
    /// What the package's manifests say, if they can read files: SwiftPM evaluates them again if it is something else.
    var manifestMark: String?
    /// Whether the tests leave profiles.
    var isProfiled = true
    /// Whether it is recorded which code each test executes.
    var recordsTests = true
    /// Whether there may be tests of Swift Testing: a main that the package has written itself runs none.
    var runsSwiftTesting = true
    /// How the two libraries work together.
    var interop = Interop(rule: .fail)
    /// What SwiftPM is asked to build with; `nil` for its default.
    var buildSystem: BuildSystem?
    /// Where Swift Build has put its products; `nil` for those of SwiftPM's own build system.
    var products: BuiltFolder?
    /// How the package is built.
    var choice = BuildChoice()
    /// The first line of `swift --version`.
    var swiftVersion = ""
    /// What stands above all other variables, where tests are repeated under other conditions.
    var lastVariables: [String: String] = [:]

    /// Evaluates the manifest of a package, whatever SwiftPM knows of it.
    static func dump(
        tools: ToolPaths, packageRoot: String, scratchPath: String, environment: [String: String]
    ) -> ChildCommand {
        ChildCommand(
            executable: tools.swift,
            arguments: [
                "package", "--package-path", packageRoot, "--scratch-path", scratchPath, "--manifest-cache", "none",
                "dump-package",
            ],
            environment: environment.merging(["NO_COLOR": "1"]) { $1 },
            workingDirectory: packageRoot,
            waitsForOutput: true
        )
    }

    /// The variable by which the preloaded library learns how many threads run the tasks of Swift.
    static let poolWidthVariable = "KANMON_POOL_WIDTH"

    /// The variables that tell SwiftPM what manifests say.
    static func variables(for manifestMark: String?) -> [String: String] {
        manifestMark.map { [manifestVariable: $0] } ?? [:]
    }

    /// The variable by which SwiftPM tells what manifests evaluated to.
    static let manifestVariable = "KANMON_MANIFESTS"

    /// Asks SwiftPM for the targets; needs no network.
    static func describe(
        tools: ToolPaths, packageRoot: String, scratchPath: String, environment: [String: String],
        manifestMark: String? = nil, choice: BuildChoice = BuildChoice()
    )
        -> ChildCommand
    {
        ChildCommand(
            executable: tools.swift,
            arguments: [
                "package", "--package-path", packageRoot, "--scratch-path", scratchPath,
            ] + choice.traitArguments + ["describe", "--type", "json"],
            environment: environment.merging(["NO_COLOR": "1"]) { $1 }.merging(variables(for: manifestMark)) { $1 },
            workingDirectory: packageRoot,
            waitsForOutput: true
        )
    }

    /// Builds everything, tests included, with coverage.
    var build: ChildCommand {
        command(
            tools.swift,
            // A plan that SwiftPM kept may not know of a LinuxMain.swift that came since.
            ["build", "--build-tests", "--enable-code-coverage", "--disable-build-manifest-caching"]
                + Self.exactCounters + package(at: packageRoot),
            // Plugins and generators that the build runs are instrumented too and would leave profiles in the package.
            (buildVariables ?? [:]).merging(Self.unprofiled) { $1 }.merging(Self.variables(for: manifestMark)) { $1 }
        )
    }

    /// Lists the XCTest cases without running them.
    var listXCTest: ChildCommand { listXCTest(of: testBinary) }

    /// Lists the XCTest cases of a binary without running them.
    func listXCTest(of binary: String) -> ChildCommand {
        command(binary, ["--dump-tests-json"], Self.unprofiled)
    }

    /// Lists the Swift Testing tests without running them.
    var listSwiftTesting: ChildCommand { listSwiftTesting(of: testBinary, into: files.swiftTestingList) }

    /// Lists the Swift Testing tests of a binary without running them.
    func listSwiftTesting(of binary: String, into file: String) -> ChildCommand {
        command(
            binary,
            [
                "--testing-library", "swift-testing", "--list-tests", "--event-stream-output-path",
                file,
            ]
                + streamVersion,
            Self.unprofiled
        )
    }

    /// Runs the tests of a pass: one process for the engine `swift-test`, one for each library for `direct`.
    func test(_ engine: Engine, _ plan: PassPlan = PassPlan(reason: .first)) -> [ChildCommand] {
        let xctest = plan.tests?.filter { $0.library == .xctest }
        let swiftTesting = plan.tests?.filter { $0.library == .swiftTesting }
        let serial = plan.isSerial ? ["--no-parallel"] : []
        switch engine {
        case .swiftTest, .foreign:
            let filters =
                Self.filters(plan.isWhole ? [] : plan.tests ?? [])
                + (xctest?.isEmpty == true ? ["--disable-xctest"] : [])
                + (swiftTesting?.isEmpty == true || !runsSwiftTesting ? ["--disable-swift-testing"] : [])
            return [swiftTest(filters + serial)]
        case .direct:
            var commands: [ChildCommand] = []
            if xctest?.isEmpty != true {
                let named = plan.isWhole ? nil : xctest
                commands.append(
                    directXCTest(binary(of: plan), named.map { [$0.map(\.name).joined(separator: ",")] } ?? []))
            }
            if swiftTesting?.isEmpty != true, runsSwiftTesting {
                commands.append(
                    directSwiftTesting(
                        binary(of: plan), Self.filters(plan.isWhole ? [] : swiftTesting ?? []) + serial))
            }
            return commands
        }
    }

    /// Expressions that find exactly these tests: libraries search their names for them.
    static func filters(_ tests: [DiscoveredTests.Entry]) -> [String] {
        tests.flatMap { ["--filter", "^\($0.name.escapedForExpression)$"] }
    }

    /// `swift test`. Without the coverage flag, because with it SwiftPM sets its own LLVM_PROFILE_FILE: one profile a
    /// process, in a folder that outlives the run.
    private func swiftTest(_ selection: [String]) -> ChildCommand {
        command(
            tools.swift,
            // Two words: with `=` the XCTest results are lost (swiftlang/swift-package-manager#9960).
            ["test", "--skip-build"] + package(at: packageRoot) + ["--xunit-output", files.xunit] + eventStream
                + attachments + selection,
            observed("swift-test").merging(Self.variables(for: manifestMark)) { $1 }
        )
    }

    private func binary(of plan: PassPlan) -> String { plan.runner ?? testBinary }

    private func directXCTest(_ binary: String, _ selection: [String]) -> ChildCommand {
        command(binary, selection, observed("xctest"))
    }

    private func directSwiftTesting(_ binary: String, _ selection: [String]) -> ChildCommand {
        command(
            binary,
            // The name that `swift test` derives from the one it is given.
            ["--testing-library", "swift-testing", "--xunit-output", files.swiftTestingXUnit] + eventStream
                + attachments + selection,
            underTest("swift-testing")
        )
    }

    /// The folder with the build products.
    var productsPath: String { products?.path ?? "\(scratchPath)/debug" }

    /// Asks SwiftPM for the folder with its products.
    var findProducts: ChildCommand {
        command(
            tools.swift, ["build", "--show-bin-path"] + package(at: packageRoot),
            (buildVariables ?? [:]).merging(Self.variables(for: manifestMark)) { $1 })
    }

    /// The binary with all tests, as SwiftPM's native build system names it.
    var testBinary: String { "\(productsPath)/\(package)PackageTests.xctest" }

    func command(
        _ executable: String, _ arguments: [String], _ additions: [String: String] = [:]
    )
        -> ChildCommand
    {
        ChildCommand(
            executable: executable,
            arguments: arguments,
            environment: environment.merging(Self.quiet) { $1 }.merging(additions) { $1 }
                .merging(lastVariables) { $1 },
            workingDirectory: packageRoot,
            waitsForOutput: executable == tools.swift
        )
    }

    func package(at path: String) -> [String] {
        ["--package-path", path, "--scratch-path", scratchPath]
            + (buildSystem.map { ["--build-system", $0.rawValue] } ?? []) + choice.arguments
    }

    private var eventStream: [String] { ["--event-stream-output-path", files.eventStream] + streamVersion }

    private var attachments: [String] { ["--attachments-path", files.attachmentsOfPass] }

    /// The event stream is requested in the highest version that both sides know: the default changes with the
    /// toolchain.
    private var streamVersion: [String] { ["--event-stream-version", Self.streamVersion(ofSwift: swiftVersion)] }

    /// The highest version of the event stream that a toolchain has and that was tried, or is known from the sources of the toolchain.
    ///
    /// - Parameter version: The first line of `swift --version`.
    static func streamVersion(ofSwift version: String) -> String {
        let numbers = version.firstMatch(of: /version (\d+)\.(\d+)/).map { (Int($0.1) ?? 0, Int($0.2) ?? 0) }
        // Where the version is not known, the lowest is requested.
        return numbers.map { $0 >= (6, 4) } == true ? "6.4" : "6.3"
    }

    /// What every process with tests is given. Its profiles go into a pool of two files a binary, merged as processes end, and
    /// not into one for each process.
    private func underTest(_ process: String) -> [String: String] {
        let profiles = files.profiles(of: process)
        var variables = [
            "LLVM_PROFILE_FILE": isProfiled ? "\(profiles)/\(Self.profilePool)" : "/dev/null",
            // Names the argument that failed, the tags and the comments.
            "SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED": "1",
        ]
        let reports = choice.sanitizer.options(
            environment: environment, reportsTo: files.sanitizerReports(of: process))
        variables.merge(reports) { $1 }
        guard let libraries else { return variables }
        variables["LD_PRELOAD"] = libraries.preload
        variables["KANMON_LISTENER_LIBRARY"] = libraries.listener
        variables["KANMON_OBSERVER_RECORDS"] = files.observerLink
        if interop.rule != .fail { variables["KANMON_INTEROP"] = interop.rule.rawValue }
        variables[Interop.variable] = interop.mode
        if isProfiled { variables["KANMON_LIVE_PROFILES"] = profiles }
        return variables
    }

    /// Runs tests of Swift Testing one at a time, only to see which code each executes: nothing of its results or coverage counts.
    ///
    /// - Parameters:
    ///   - tests: The tests to run.
    ///   - process: A name for the process, of which its files have theirs.
    func mapping(_ tests: [DiscoveredTests.Entry], process: String) -> ChildCommand {
        let events = files.mappingEvents(of: process)
        var variables = underTest(process)
        // What they assert was heard before, and their records are not those of a pass.
        variables["KANMON_LISTENER_LIBRARY"] = nil
        variables["KANMON_OBSERVER_RECORDS"] = nil
        // The order of sets and dictionaries is another one in each process otherwise, and so is the code that depends on it.
        variables["SWIFT_DETERMINISTIC_HASHING"] = "1"
        variables["LLVM_PROFILE_FILE"] = "\(files.mappingProfiles(of: process))/\(Self.profilePool)"
        variables["KANMON_LIVE_PROFILES"] = files.mappingProfiles(of: process)
        variables["KANMON_TEST_RECORDS"] = files.testRecords(of: process)
        variables["KANMON_TEST_EVENTS"] = events
        return command(
            tests.first.flatMap { products?.runner(of: $0) } ?? testBinary,
            ["--testing-library", "swift-testing", "--no-parallel", "--event-stream-output-path", events]
                + streamVersion + Self.filters(tests),
            variables
        )
    }

    private func observed(_ process: String) -> [String: String] {
        var variables = underTest(process)
        guard let libraries else { return variables }
        // XCTest runs one test at a time.
        if isProfiled, recordsTests { variables["KANMON_TEST_RECORDS"] = files.testRecords(of: process) }
        variables["KANMON_OBSERVER_LIBRARY"] = libraries.observer
        return variables
    }

    /// The folder in which a process with tests is to leave its profiles; `nil` when it is to leave none.
    static func profileFolder(of command: ChildCommand) -> String? {
        guard let pattern = command.environment["LLVM_PROFILE_FILE"], pattern.hasSuffix("/\(profilePool)") else {
            return nil
        }
        return String(pattern.dropLast(profilePool.count + 1))
    }

    private static let profilePool = "%2m.profraw"
    /// Makes the Swift compiler count with atomic additions.
    ///
    /// With plain ones, increments are lost where tests run at the same time. LLVM derives most counts as sums and differences
    /// of others, so that a lost one makes lines that never ran look covered and the other way round. C, C++ and Objective-C
    /// are not measured, and keep plain counters.
    private static let exactCounters = ["-Xswiftc", "-Xllvm", "-Xswiftc", "-instrprof-atomic-counter-update-all"]
    private static let quiet = ["NO_COLOR": "1"]
    private static let unprofiled = ["LLVM_PROFILE_FILE": "/dev/null"]
}

extension String {
    /// The text with a backslash before every sign that means something in a regular expression.
    fileprivate var escapedForExpression: String {
        var escaped = ""
        for scalar in unicodeScalars {
            if #"\^$.|?*+()[]{}"#.unicodeScalars.contains(scalar) { escaped.unicodeScalars.append("\\") }
            escaped.unicodeScalars.append(scalar)
        }
        return escaped
    }
}
