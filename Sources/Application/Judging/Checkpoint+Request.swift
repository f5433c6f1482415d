import Evidence
import RunModel
import SettingsFile
import Storage
import TestRunning

extension Checkpoint {
    /// What the runner is asked for: what the subject says, what this machine and process are, and where the run lies.
    func request(_ subject: Subject) throws -> RunRequest {
        home.prepare()
        let startedAt = process.now
        let (package, settings) = (subject.package, subject.settings)
        let seed = process.makeNonce()
        let id = RunID(of: package.project, seed: seed, at: startedAt)
        var options = settings.runOptions
        options.mapping = subject.mapping
        var request = RunRequest(
            package: package, tests: subject.testsBySettings, options: options,
            skipsBuild: subject.skipsBuild,
            scratchPath: TestRunner.scratchPath(cacheHome: home.cache, packageRoot: package.root),
            runDirectory: home.runDirectory(project: package.project, id: id), cacheDirectory: home.cache + "/kanmon",
            runID: id, startedAt: startedAt, machine: process.machine,
            origin: process.origin(of: subject.forge), arguments: process.arguments,
            kanmonVersion: Release.version,
            parentEnvironment: process.environment,
            durations: durations(for: subject),
            givenFiles: [try KeptJSON.policy.givenFile(settings.policy)]
                + (try subject.baseline.map { [try KeptJSON.baseline.givenFile($0)] } ?? [])
                + (try subject.comparison.map { [try KeptJSON.comparison.givenFile($0)] } ?? [])
                + (try subject.trial.map { [try KeptJSON.deselectedTests.givenFile($0)] } ?? []),
            checkModules: { (modules) throws(ModuleRefusal) in
                do throws(SettingsError) {
                    try settings.check(modules: modules)
                } catch {
                    throw ModuleRefusal(reason: "\(error)", hint: error.hint)
                }
            }
        )
        request.seed = seed
        if let baseline = subject.baseline {
            request.probation = ProbationFinder(
                settings: settings, root: package.root, baseline: baseline, comparison: subject.comparison,
                deadline: subject.deadline
            ).request(nonce: seed)
        }
        let (authors, causes) = (subject.authors, subject.causes)
        if authors != nil || causes != nil {
            request.filesOnFailure = { failed in
                let found = await authors?.files(of: failed.run) ?? []
                return found + (await causes?.files(of: failed) ?? [])
            }
        }
        return request
    }

    /// How long the tests took before, where several processes are to end together. Nobody's verdict depends on it.
    private func durations(for subject: Subject) -> [TestID: Duration] {
        guard subject.settings.jobs.value > 1 || subject.mapping.processes > 1, home.hasStore else { return [:] }
        return (try? RunStore.reading(home.database).latestDurations(project: subject.package.project)) ?? [:]
    }
}

extension Checkpoint.Subject {
    /// What was requested, without the test targets that the settings switch off.
    var testsBySettings: TestChoice {
        var tests = tests
        tests.selection.disabledTargets = settings.disabledTargets
        return tests
    }
}

extension Settings {
    /// How they want a run to go about it.
    var runOptions: RunOptions {
        RunOptions(
            engine: engine.value,
            // Whoever asks for an engine gets that one or an error.
            fallsBackToSwiftTest: engine.origin == .builtIn, jobs: jobs.value, retries: retries.value,
            clean: clean.value,
            limits: RunLimits(run: runTimeout.value, test: testTimeout.value, silence: silenceTimeout.value),
            isolation: isolation.value, before: before.map(\.value), after: after.map(\.value),
            environment: environment.map { $0.value.entry }, swift: swift.value, build: build,
            buildSystem: buildSystem.value, interop: interop.value,
            undiscoveredTests: undiscoveredTests.value)
    }
}
