/// Why the evidence of a run is incomplete or contradictory. The raw value is stable and documented.
public enum ReasonCode: String, Sendable, Hashable, Codable, CaseIterable {
    /// A report is incomplete.
    case reportTruncated = "report-truncated"
    /// A report cannot be read at all.
    case reportMalformed = "report-malformed"
    /// A report was not well-formed and was repaired.
    case reportRepaired = "report-repaired"
    /// A report that should be there is not.
    case reportMissing = "report-missing"
    /// A report of another tool says nothing.
    case reportEmpty = "report-empty"
    /// Discovered tests have no result.
    case testsNotRun = "tests-not-run"
    /// The test process ended with success before its results were complete.
    case exitWithoutResults = "exit-without-results"
    /// The exit status and the results disagree.
    case exitContradictsResults = "exit-contradicts-results"
    /// Two sources disagree about the same test.
    case resultsContradict = "results-contradict"
    /// An issue was recorded that belongs to no test.
    case issueWithoutTest = "issue-without-test"
    /// Tests that remained after a crash or time limit ran in another process.
    case testsRecovered = "tests-recovered"
    /// A crash that cannot be attributed to a test.
    case crashUnexplained = "crash-unexplained"
    /// Assertions of the tests may have failed without being recorded.
    case assertionsUnheard = "assertions-unheard"
    /// The testing libraries worked together in another mode than in `swift test`.
    case interopMode = "interop-mode"
    /// Assertions of the other library failed, which by the settings fail no test.
    case assertionsIgnored = "assertions-ignored"
    /// The package has a main of its own that runs only some of its tests.
    case ownMain = "own-main"
    /// Tests that the sources declare were not discovered, and not run.
    case testsUndiscovered = "tests-undiscovered"
    /// Tests cancelled themselves for some of their arguments.
    case argumentsCancelled = "arguments-cancelled"
    /// A script of `run.before` failed.
    case beforeFailed = "before-failed"
    /// A script of `run.after` failed.
    case afterFailed = "after-failed"
    /// The list of discovered tests and the results differ.
    case listMismatch = "list-mismatch"
    /// The test binary did not list its tests.
    case listUnavailable = "list-unavailable"
    /// There are no tests, or none was selected.
    case noTests = "no-tests"
    /// Every test was skipped.
    case allSkipped = "all-skipped"
    /// No coverage was recorded for a run, a module or a file.
    case coverageMissing = "coverage-missing"
    /// The coverage was not made by this run.
    case coverageStale = "coverage-stale"
    /// The coverage export cannot be read.
    case coverageMalformed = "coverage-malformed"
    /// A test process left an empty profile.
    case profileEmpty = "profile-empty"
    /// Counters of coverage would not have outlived a crash.
    case countersNotKept = "counters-not-kept"
    /// It is not known of all tests which code they execute.
    case testMapMissing = "test-map-missing"
    /// A test fails when no other test runs beside it.
    case orderDependent = "order-dependent"
    /// New or changed tests were not repeated that had to be.
    case testsUnproven = "tests-unproven"
    /// A profile could not be merged.
    case profileDamaged = "profile-damaged"
    /// An artifact differs from the checksum in the manifest, or is gone.
    case artifactDamaged = "artifact-damaged"
    /// A time limit ended the run.
    case timedOut = "timed-out"
    /// The run was ended from outside.
    case interrupted
    /// Processes outlived the tests and were ended.
    case processLeaked = "process-leaked"
    /// The run used the products of an earlier build.
    case buildSkipped = "build-skipped"
    /// What was built is not, or is not known to be, what a clean build of the same files makes.
    case staleBuild = "stale-build"
    /// The build system itself failed, and not what it was to build.
    case buildSystemFailed = "build-system-failed"
    /// A sanitizer reported an error while the tests ran.
    case sanitizerReport = "sanitizer-report"
    /// The machine allows neither a PID namespace nor a cgroup.
    case isolationMissing = "isolation-missing"
    /// Some output of the tests was lost.
    case outputLost = "output-lost"
    /// Failure messages were too long and were cut.
    case textsCut = "texts-cut"
    /// Files that tests attached were not kept.
    case attachmentsLeftOut = "attachments-left-out"
    /// Variables of the environment were not passed to the tests.
    case environmentWithheld = "environment-withheld"
    /// XCTest results come from the console, because the observer left no records.
    case observerMissing = "observer-missing"
    /// A test target was left out, because nothing that it depends on changed.
    case targetNotAffected = "target-not-affected"
    /// Tests were left out because they execute none of the changed functions.
    case testsDeselected = "tests-deselected"
    /// Code of a local package is not measured.
    case localPackageNotMeasured = "local-package-not-measured"
    /// Sources with tests belong to no target.
    case testsWithoutTarget = "tests-without-target"
    /// What was tested is not exactly the tree of a commit.
    case treeNotExact = "tree-not-exact"
    /// Files of the tree changed or appeared during the run.
    case treeChanged = "tree-changed"
    /// A submodule of the tree was not checked out.
    case submoduleMissing = "submodule-missing"
    /// The commit of reports of another tool was given by the caller and not checked.
    case commitTold = "commit-told"
    /// A file of Git LFS is only a pointer.
    case lfsPointer = "lfs-pointer"
    /// The base of the run is unknown.
    case baseUnknown = "base-unknown"
    /// The run has no base.
    case baseAbsent = "base-absent"
    /// A rule needs the base run, and there is none.
    case baseRunMissing = "base-run-missing"
    /// The base's settings or manifest cannot be read.
    case baseUnreadable = "base-unreadable"
    /// A shard of a run is missing.
    case shardMissing = "shard-missing"
    /// A shard of a run was given more than once.
    case shardDoubled = "shard-doubled"
    /// A shard belongs to another run.
    case shardForeign = "shard-foreign"
    /// Shards of a run ran the same test.
    case shardOverlap = "shard-overlap"

    /// One sentence that says what it means.
    public var meaning: String {
        switch self {
        case .reportTruncated: "A report is truncated."
        case .reportMalformed: "A report cannot be read."
        case .reportRepaired: "A report was not well-formed; it was repaired and read."
        case .reportMissing: "A report of this run is missing."
        case .reportEmpty: "A report has neither a test nor an executable line in it."
        case .testsNotRun: "Tests that were discovered have no result."
        case .exitWithoutResults: "The test process ended before its results were complete."
        case .exitContradictsResults: "The exit status of the tests contradicts their results."
        case .resultsContradict: "Two sources disagree about the same test."
        case .issueWithoutTest: "An issue was recorded that belongs to no test."
        case .testsRecovered: "Tests that remained after a crash or time limit ran in another process."
        case .crashUnexplained: "The test process crashed, and the crash cannot be attributed to a test."
        case .assertionsUnheard: "Assertions of the tests may have failed unheard."
        case .interopMode: "The testing libraries worked together in another mode than in swift test."
        case .assertionsIgnored: "Assertions failed in tests of the other library, and fail no test, as in swift test."
        case .ownMain: "The package's own main runs the tests, and only those that it names."
        case .testsUndiscovered: "Tests that the sources declare were not discovered; nobody ran them."
        case .argumentsCancelled: "Tests cancelled themselves for some of their arguments."
        case .beforeFailed: "A script before the build failed."
        case .afterFailed: "A script after the tests failed."
        case .listMismatch: "Tests have results although the test binary does not list them."
        case .listUnavailable: "The test binary did not list its tests."
        case .noTests: "No test ran."
        case .allSkipped: "Every test was skipped."
        case .coverageMissing: "Coverage is missing."
        case .coverageStale: "The coverage was not made by this run."
        case .coverageMalformed: "The coverage export cannot be read."
        case .profileEmpty: "A profile is empty, so that what a test process executed is unknown."
        case .countersNotKept: "Counters of coverage were not kept in files while the tests ran."
        case .testMapMissing: "Which tests execute which code is not known of all tests."
        case .orderDependent: "A test fails when no other test runs beside it."
        case .testsUnproven: "New or changed tests were not repeated, as the settings demand."
        case .profileDamaged: "A profile could not be merged."
        case .artifactDamaged: "A file of the run does not match its recorded checksum."
        case .timedOut: "A time limit ended the run."
        case .interrupted: "The run was ended from outside."
        case .processLeaked: "Processes outlived the tests and were ended."
        case .buildSkipped: "Nothing was built: the tests are those of an earlier build of the same tree."
        case .staleBuild: "What was built is not, or is not known to be, what a clean build of the same files makes."
        case .buildSystemFailed: "The build system itself failed, and not what it was to build."
        case .sanitizerReport: "A sanitizer reported an error while the tests ran."
        case .isolationMissing: "Only the reaper isolated the processes of the run."
        case .outputLost: "Some output of the tests was lost."
        case .textsCut: "Long failure messages were cut to their beginning and end."
        case .attachmentsLeftOut: "Files that tests attached were not kept."
        case .environmentWithheld: "Variables of the environment were not passed to the tests, some of which failed."
        case .observerMissing: "XCTest results were read from the console."
        case .targetNotAffected: "A test target was not run, because nothing that it depends on changed."
        case .testsDeselected: "Tests were not run: they execute none of the changed functions."
        case .localPackageNotMeasured: "Code in a local package (.package(path:)) is built, but not measured."
        case .testsWithoutTarget: "Sources with tests belong to no target: nobody compiles or runs them."
        case .treeNotExact:
            "The tested files are not exactly the commit's tree: the run does not answer for the commit."
        case .treeChanged: "Files changed during the run: another tree was tested."
        case .submoduleMissing: "A submodule was not checked out."
        case .commitTold: "That these reports of another tool are of this commit was told, and not checked."
        case .lfsPointer: "A file of Git LFS was only a pointer to its content."
        case .baseUnknown: "The base of the run is unknown."
        case .baseAbsent: "A rule compares with a base, but the run has none: the rule does not apply."
        case .baseRunMissing: "A rule compares with the base run, but none is stored."
        case .baseUnreadable: "The settings or the manifest of the base cannot be read."
        case .shardMissing: "A shard is missing."
        case .shardDoubled: "A shard was given more than once."
        case .shardForeign: "A shard belongs to another run."
        case .shardOverlap: "Tests ran in more than one shard."
        }
    }

    /// What to do about it.
    public var remedy: String {
        switch self {
        case .reportTruncated, .exitWithoutResults:
            "Look at the last test that started: it may have called exit() or been killed."
        case .reportMalformed: "See the place in the detail; write the report again."
        case .reportRepaired: "Nothing; rename the test or drop control characters from its message to silence this."
        case .reportMissing: "See the transcript for the reason."
        case .reportEmpty: "Nothing, if there was nothing to run or to measure; else see why its writer left it empty."
        case .testsNotRun: "Look for a crash or an exit() in the test that ran last, then run again."
        case .exitContradictsResults: "Look at the end of the transcript: something failed outside of any test."
        case .resultsContradict: "Compare the two reports named in the detail."
        case .issueWithoutTest: "Make each test await all work that it starts."
        case .testsRecovered: "Nothing; every test has a result."
        case .crashUnexplained: "See the crash in the transcript; concurrent tests may share state."
        case .assertionsUnheard:
            "See what the gap says; tests.interop: swift-test in .kanmon.yml takes what swift test hears."
        case .interopMode: "Remove SWIFT_TESTING_XCTEST_INTEROP_MODE from run.environment in .kanmon.yml."
        case .assertionsIgnored:
            "Use the assertions of the library that runs the test, or remove tests.interop from .kanmon.yml."
        case .ownMain: "Remove it (LinuxMain.swift, XCTMain.swift): SwiftPM then discovers the tests of both libraries."
        case .testsUndiscovered:
            "Override what a class inherits (override func testX() { super.testX() }); name each in a main of your own, or remove it."
        case .argumentsCancelled: "Nothing, if these arguments need not be tested here."
        case .beforeFailed: "See the output of the script; the tests were not started."
        case .afterFailed: "See the output of the script."
        case .listMismatch: "Check that no other process writes into the run directory."
        case .listUnavailable: "Remove a hand-written LinuxMain.swift or XCTMain, so that tests can be discovered."
        case .noTests: "Add a test target, or check the filter."
        case .allSkipped: "Check the conditions on which the tests skip themselves."
        case .coverageMissing: "Check that the module is built with coverage and that its objects exist."
        case .coverageStale: "Run again into a fresh run directory."
        case .artifactDamaged: "Copy the run directory again if it was copied, else run again."
        case .coverageMalformed: "Run again; if it persists, keep the run directory and report it."
        case .profileEmpty:
            "See what ended a process while it wrote its profile, or emptied files of the run; check the free space of the disk."
        case .countersNotKept:
            "Nothing, if no test crashed or was ended: what its process executed would be missing from the coverage."
        case .testMapMissing: "Nothing; such tests are always among those that a change may break."
        case .orderDependent: "See what the test shares with others: a global, a file, a port."
        case .testsUnproven:
            "See what kept them from it; raise tests.probation.budget in .kanmon.yml if they need longer."
        case .profileDamaged: "Check the free space of the disk, then run again."
        case .timedOut: "See which tests were running; raise tests.timeouts in .kanmon.yml if they need longer."
        case .interrupted: "Run again."
        case .processLeaked: "End every process that a test starts before the test ends."
        case .buildSkipped: "Nothing; tree, toolchain, folder and binary match the record of the build."
        case .staleBuild: "Run again with --clean; keep the run directory and report it, if it comes again."
        case .buildSystemFailed: "Run again; if it comes again, set build.system to native."
        case .sanitizerReport: "See the whole report at the end of the transcript."
        case .isolationMissing:
            "Nothing; allow user namespaces or delegate a cgroup if tests may kill the reaper."
        case .outputLost: "Nothing; results do not depend on it."
        case .textsCut: "Nothing; the files of the run directory have the whole messages."
        case .attachmentsLeftOut: "Nothing, if nobody needs them; attach fewer or smaller files, under plain names."
        case .environmentWithheld: "If a test needs one of them, name it under run.environment in .kanmon.yml."
        case .observerMissing: "Nothing, if the counts are right; modules are guessed from the order of the log."
        case .targetNotAffected:
            "Nothing: a push runs all test targets; hooks.pre-commit.tests: all runs them for commits too."
        case .testsDeselected:
            "Nothing: a push runs all tests; hooks.pre-commit.tests: all runs them for commits too."
        case .localPackageNotMeasured:
            "Nothing; run Kanmon in that package too, or make its code a target of this one."
        case .testsWithoutTarget:
            "Declare their target in Package.swift, take them out of its exclude, or remove them."
        case .treeNotExact:
            "Test the commit itself (kanmon run --commit HEAD), or run in a fresh clone; commit what the package needs."
        case .treeChanged:
            "Do not edit files during a run; name what scripts generate under run.generated in .kanmon.yml."
        case .submoduleMissing: "Fetch it into the repository that is judged: git submodule update --init --recursive."
        case .commitTold: "Nothing, if the command that ingests them names the commit whose tests wrote them."
        case .lfsPointer: "Install git-lfs, if tests need the content."
        case .baseUnknown: "Fetch the base with its whole history and its submodules (git fetch --unshallow)."
        case .baseAbsent: "Nothing; the next commit is compared with this one."
        case .baseRunMissing: "Run the base commit (kanmon run --commit), then run this one again."
        case .baseUnreadable:
            "Waive `settings-unreadable` or `manifest-unreadable` if this commit mends it; a newer Kanmon may read it."
        case .shardMissing: "See why its agent left no run directory, run it again, and merge again."
        case .shardDoubled: "Merge the run directory of each shard only once."
        case .shardForeign: "Give every shard the same commit, toolchain, policy and number of shards, and merge again."
        case .shardOverlap: "Give every shard the same durations to split by, or split by hash."
        }
    }
}
