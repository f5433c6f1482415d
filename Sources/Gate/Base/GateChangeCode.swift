/// The ways in which a commit can lower the bar that it is judged by. The raw value is stable and documented.
public enum GateChangeCode: String, Sendable, Hashable, Codable, CaseIterable {
    /// A module's floor is lower than at the base.
    case floorLowered = "floor-lowered"
    /// A module's own floor is gone.
    case floorRemoved = "floor-removed"
    /// The floor of all other modules is lower than at the base.
    case defaultFloorLowered = "default-floor-lowered"
    /// A new pattern excludes files that counted.
    case excludeAdded = "exclude-added"
    /// A pattern was changed so that it excludes files that counted.
    case excludeWidened = "exclude-widened"
    /// Fewer tests are demanded.
    case minimumTestsLowered = "minimum-tests-lowered"
    /// A test target is gone.
    case testTargetRemoved = "test-target-removed"
    /// A test target is switched off.
    case testTargetOff = "test-target-off"
    /// There are fewer tests than in the base's run.
    case testsDropped = "tests-dropped"
    /// Tests that ran in the base's run are skipped.
    case testsSkipped = "tests-skipped"
    /// Tests that passed in the base's run have a known issue.
    case knownIssuesAdded = "known-issues-added"
    /// A parameterised test has fewer arguments than in the base's run.
    case argumentsDropped = "arguments-dropped"
    /// A module is gone.
    case moduleRemoved = "module-removed"
    /// A module has another name, and its floor did not follow.
    case moduleRenamed = "module-renamed"
    /// Code is in a local package, and so is not measured.
    case codeInLocalPackage = "code-in-local-package"
    /// A new module has no floor of its own where others have.
    case moduleWithoutFloor = "module-without-floor"
    /// A module covers less than at the base, under the ratchet.
    case coverageDropped = "coverage-dropped"
    /// The ratchet is switched off.
    case ratchetOff = "ratchet-off"
    /// What a change adds may be covered less, or is not judged.
    case patchFloorLowered = "patch-floor-lowered"
    /// Changes are judged only from more lines on.
    case patchMinimumRaised = "patch-minimum-raised"
    /// All modules together may be covered less.
    case projectFloorLowered = "project-floor-lowered"
    /// All modules together may fall further behind the base.
    case projectDropRaised = "project-drop-raised"
    /// A single file may be covered less.
    case fileFloorLowered = "file-floor-lowered"
    /// The whole run may take longer.
    case runTimeoutRaised = "run-timeout-raised"
    /// The tests may be silent for longer.
    case silenceTimeoutRaised = "silence-timeout-raised"
    /// One test may take longer.
    case testTimeoutRaised = "test-timeout-raised"
    /// A test that failed is run again more often.
    case retriesRaised = "retries-raised"
    /// A flaky test no longer blocks.
    case flakyTolerated = "flaky-tolerated"
    /// The failures of a test no longer block, or for longer.
    case quarantineAdded = "quarantine-added"
    /// A time bound of tests is higher, or gone.
    case budgetRaised = "budget-raised"
    /// A target is compiled with unsafe flags that it did not have.
    case unsafeFlagsAdded = "unsafe-flags-added"
    /// What runs before the build is another.
    case runBeforeChanged = "run-before-changed"
    /// What runs after the tests is another.
    case runAfterChanged = "run-after-changed"
    /// The tests see other variables.
    case runEnvironmentChanged = "run-environment-changed"
    /// Scripts may make files where the tree had to be tested as it is.
    case generatedAdded = "generated-added"
    /// The settings file is gone.
    case settingsRemoved = "settings-removed"
    /// The settings file is no longer where the package is.
    case settingsMoved = "settings-moved"
    /// Runs are kept under another name, so that none of the base's is found.
    case projectChanged = "project-changed"
    /// Another branch is to be the default branch.
    case baseChanged = "base-changed"

    /// The rules on tests that compare with the base's stored run.
    static let needingStoredRun: [Self] = [.testsDropped, .testsSkipped, .knownIssuesAdded, .argumentsDropped]

    /// One sentence that says what it means.
    public var meaning: String {
        switch self {
        case .floorLowered: "A floor of a module is lower than at the base."
        case .floorRemoved: "A floor of a module is gone."
        case .defaultFloorLowered: "The floor of every module without one of its own is lower than at the base."
        case .excludeAdded: "A new pattern takes files out of the coverage that counted at the base."
        case .excludeWidened: "A changed pattern takes more files out of the coverage than at the base."
        case .minimumTestsLowered: "Fewer tests are demanded than at the base."
        case .testTargetRemoved: "A test target of the base is gone."
        case .testTargetOff: "A test target is switched off that was on at the base."
        case .testsDropped: "There are fewer tests than in the base's stored run, by more than one in a hundred."
        case .testsSkipped: "Tests are skipped or disabled that ran in the base's stored run."
        case .knownIssuesAdded: "Tests fail in a way they announce that passed in the base's stored run."
        case .argumentsDropped: "A test runs with fewer arguments than in the base's stored run."
        case .moduleRemoved: "A module of the base is gone, and its floor with it."
        case .moduleRenamed: "A module of the base has another name, and a lower floor under it."
        case .codeInLocalPackage:
            "Code lies in a local package, which is not measured, and was measured or not there at the base."
        case .moduleWithoutFloor: "A new module has no floor of its own, where modules have their own."
        case .coverageDropped: "A module covers less than in the base's stored run, under the ratchet."
        case .ratchetOff: "The ratchet is switched off that was on at the base."
        case .patchFloorLowered: "The floor of the lines that a change adds is lower than at the base, or gone."
        case .patchMinimumRaised: "A change has to add more lines than at the base before they are judged."
        case .projectFloorLowered: "The floor of the whole project is lower than at the base, or gone."
        case .projectDropRaised: "The project may fall further behind its base than at the base, or as far as it likes."
        case .fileFloorLowered: "The floor of every single file is lower than at the base, or gone."
        case .runTimeoutRaised: "The whole run may take longer than at the base."
        case .silenceTimeoutRaised: "The tests may stay silent for longer than at the base."
        case .testTimeoutRaised: "One test may take longer than at the base."
        case .retriesRaised: "A test that failed is run again more often than at the base."
        case .flakyTolerated: "A flaky test is only shown that blocked at the base."
        case .quarantineAdded: "The failures of a test do not block that did at the base, or for longer."
        case .budgetRaised: "A time bound of tests is higher than at the base, or gone."
        case .unsafeFlagsAdded:
            "A target is compiled with unsafe flags it did not have, which can switch off its instrumentation."
        case .runBeforeChanged: "What runs before the build is not what it was at the base."
        case .runAfterChanged: "What runs after the tests is not what it was at the base."
        case .runEnvironmentChanged: "The tests see other variables than at the base, or other values of them."
        case .generatedAdded: "Scripts may write files in the folders of targets that they could not write at the base."
        case .settingsRemoved: "The settings file of the base is gone."
        case .settingsMoved: "The settings file of the base is no longer where the package is."
        case .projectChanged: "Runs are kept under another project, so that those of the base are not found."
        case .baseChanged: "Another branch is named as the default branch."
        }
    }
}
