import Foundation
package import Gate
package import Repository
package import RunModel
import SettingsFile
import Storage
import TestRunning

/// Finds everything that a run is compared with: the base's settings, manifest and stored run, and the waivers since.
package struct BaselineFinder: Sendable {
    let process: ProcessContext
    let home: Home
    let repository: GitRepository
    /// The package's folder below the top of the repository.
    let subpath: PackageSubpath
    /// The project whose runs are used.
    let project: String
    /// The toolchain that evaluates manifests.
    let swiftOverride: String?
    /// How many files are checked out for a manifest that may read them, and how many bytes in all.
    var manifestLimit = (files: 250_000, bytes: 2 << 30)
    /// The branch whose state the run of the head is to be; `nil` if it is only found by the branches that have the head.
    var recorded: String?

    package init(
        process: ProcessContext, home: Home, repository: GitRepository, subpath: PackageSubpath, project: String,
        swiftOverride: String?
    ) {
        self.process = process
        self.home = home
        self.repository = repository
        self.subpath = subpath
        self.project = project
        self.swiftOverride = swiftOverride
    }

    /// What is judged.
    package enum Head: Sendable {
        /// The files in the folder of the package, the commit that is checked out, and whether the files are exactly
        /// those of the commit.
        case workingCopy(folder: String, of: ObjectID?, isCommit: Bool)
        /// The tree of the commit that is being made.
        case staged(ObjectID)
        /// A commit, and its tree.
        case commit(ObjectID, tree: ObjectID)
        /// A commit that is pushed.
        case pushed(PushedTrees.Commit)

        /// The commit that is judged, or on which the judged changes are based; `nil` for HEAD, if there is one.
        var commit: ObjectID? {
            switch self {
            case .workingCopy(_, let commit, _): commit
            case .staged: nil
            case .commit(let commit, _): commit
            case .pushed(let pushed): pushed.commit
            }
        }
    }

    /// The settings that are judged, and the result of the search for the base.
    struct Base: Sendable {
        let own: Settings?
        let search: BaseSearch
    }

    /// A baseline, and notes on how it was found.
    package struct Finding: Sendable {
        package var baseline: Baseline
        package var notes: [Note] = []
    }

    /// Finds the commit that the head is compared with.
    func base(_ head: Head, named revision: String? = nil) async throws -> Base {
        let own = try await PackageFiles(head, repository: repository, subpath: subpath).settings(process)
        return Base(own: own, search: try await search(head, named: revision, own: own?.base.value))
    }

    /// Finds the baseline of the package.
    func find(_ head: Head, named revision: String? = nil) async throws -> Finding {
        try await find(head, base: try await base(head, named: revision))
    }

    /// Finds the baseline for a given base.
    func find(_ head: Head, base: Base) async throws -> Finding {
        let files = PackageFiles(head, repository: repository, subpath: subpath)
        let settings = (base.own ?? Settings()).gateSettings(
            file: base.own == nil ? nil : subpath.path(SettingsLoader.fileName))
        var finding = try await find(head, base: base, settings: settings, files)
        finding.baseline.ages = try await ages(of: settings.policy.excludes)
        finding.baseline.owners = await owners(base: base, files)
        return finding
    }

    /// The days on which excludes were added to the settings.
    private func ages(of excludes: [Exclusion]) async throws -> [ExclusionAge] {
        var ages: [ExclusionAge] = []
        for exclude in excludes {
            let day = try await repository.firstCommit(of: exclude.pattern, in: subpath.path(SettingsLoader.fileName))
            if let day { ages.append(ExclusionAge(pattern: exclude.pattern, since: CalendarDay(day))) }
        }
        return ages
    }

    private func find(_ head: Head, base: Base, settings: GateSettings, _ files: PackageFiles) async throws -> Finding {
        switch base.search {
        case .none(let reason):
            return Finding(
                baseline: Baseline(absence: reason, head: settings),
                notes: settings.policy.asksForComparison ? [.baseAbsent(reason)] : [])
        case .undetermined: return Finding(baseline: Baseline(head: settings))
        case .unknown(let reason):
            return Finding(baseline: Baseline(head: settings, gaps: [Gap(.baseUnknown, detail: reason)]))
        case .found(let base, let others):
            var finding = try await find(head, at: base, settings: settings, files)
            for other in others {
                let found = try await find(head, at: other, settings: settings, files)
                finding.baseline.others = (finding.baseline.others ?? []) + [Baseline.OtherBase(found.baseline)]
                finding.notes += found.notes.filter { !finding.notes.contains($0) }
            }
            return finding
        }
    }

    private func find(
        _ head: Head, at base: BaseCommit, settings: GateSettings, _ files: PackageFiles
    ) async throws -> Finding {
        guard let commit = ObjectID(base.commit) else {
            throw GitError.unexpectedOutput(command: "merge-base", detail: "no name of a commit")
        }
        var finding = Finding(baseline: Baseline(commit: base, head: settings))
        async let waivers = self.waivers(since: commit, head: head)
        try await readSettings(at: commit, files, into: &finding)
        try await readManifests(at: commit, head, files, into: &finding)
        finding.baseline.waivers = try await waivers
        let named = try await baseProject(finding.baseline.settings, at: commit)
        if Name(named) != Name(project) { finding.baseline.project = named }
        let folder = finding.baseline.movedFrom.map { PackageSubpath(file: $0).folder }
        finding.baseline.run = try await storedRun(of: base, project: named, folder: folder).flatMap { summary in
            try RunStore.reading(home.database).run(summary.id).map { BaseRun($0.run, $0.verdict) }
        }
        return finding
    }

    /// The settings of the package in a commit; `nil` if there are none or they cannot be read.
    func settings(at commit: ObjectID) async throws -> Settings? {
        let loader = SettingsLoader(process: process)
        do {
            return try await loader.bytes(at: subpath.path(SettingsLoader.fileName), in: commit, of: repository)
                .map { try loader.read($0) }
        } catch let error as GitError {
            throw error
        } catch {
            return nil
        }
    }

    private func readSettings(at commit: ObjectID, _ files: PackageFiles, into finding: inout Finding) async throws {
        let loader = SettingsLoader(process: process)
        var place = subpath.path(SettingsLoader.fileName)
        do {
            var bytes = try await loader.bytes(at: place, in: commit, of: repository)
            let hadPackage = try await repository.hasFile(at: subpath.path("Package.swift"), in: commit)
            if bytes == nil, !hadPackage, let old = try await movedSettings(at: commit, files) {
                place = old
                bytes = try await loader.bytes(at: old, in: commit, of: repository)
                finding.baseline.movedFrom = old
            }
            guard let bytes else {
                finding.baseline.settings = hadPackage ? Settings().gateSettings(file: nil) : nil
                return
            }
            finding.baseline.settings = try loader.read(bytes, named: place).gateSettings(file: place)
        } catch let error as GitError {
            throw error
        } catch {
            let reason = Problem(explaining: error)?.reason ?? "\(error)"
            finding.notes.append(
                Note(.baseUnreadable, subject: place, detail: "\(reason); the defaults are used instead"))
            finding.baseline.settings = Settings().gateSettings(file: place)
            finding.baseline.unreadable = reason
        }
    }

    /// The settings file of the base that was removed, if the package is in another folder now.
    private func movedSettings(at commit: ObjectID, _ files: PackageFiles) async throws -> String? {
        for name in try await repository.files(in: commit).compactMap(\.text)
        where name == SettingsLoader.fileName || name.hasSuffix("/\(SettingsLoader.fileName)") {
            if try await !files.has(name) { return name }
        }
        return nil
    }

    private func waivers(since base: ObjectID, head: Head) async throws -> WaiverReading {
        let tip: ObjectID? = if let commit = head.commit { commit } else { try await repository.commit(at: "HEAD") }
        var reading = WaiverReading()
        guard let tip else { return reading }
        async let earlier = repository.messages(from: nil, to: base, limit: 500)
        for entry in try await repository.messages(from: base, to: tip, limit: 10_000) {
            reading.read(message: entry.message, of: entry.commit.hexadecimal)
        }
        for entry in try await earlier {
            reading.read(message: entry.message, of: entry.commit.hexadecimal, isEarlier: true)
        }
        return reading
    }

    /// The project under which the base's runs are kept: a commit that changes the name must not hide them.
    private func baseProject(_ settings: GateSettings?, at commit: ObjectID) async throws -> String {
        let manifest = try await repository.file(at: subpath.path("Package.swift"), in: commit)
        guard settings?.project != nil || manifest != nil else { return project }
        return try await ProjectName.find(chosen: settings?.project, manifest: manifest, in: repository, at: subpath)
    }

    /// The newest complete run of the base; a store that cannot be read has none.
    ///
    /// A run of the same tree counts too: a commit whose tree was tested before has no run of its own.
    ///
    /// - Parameter folder: That of the package in the base; `nil` if it lies where it does now.
    func storedRun(
        of base: BaseCommit, project: String? = nil, folder: String? = nil
    ) async throws -> RunSummary? {
        let (project, folder) = (project ?? self.project, folder ?? subpath.folder)
        guard home.hasStore else { return nil }
        // Where there is no package, nothing but the reports of other tools can say how the base fares.
        let isPackage =
            if let commit = ObjectID(base.commit) {
                try await repository.hasFile(at: subpath.path("Package.swift"), in: commit)
            } else { true }
        let names = ProjectName.names(of: project, for: ObjectID(base.commit)).map(Name.init)
        let isWhole = { (run: RunSummary) in
            names.contains(Name(run.project)) && run.lines != nil
                && (isPackage
                    ? run.answersForTree && run.revision?.folder.map(Name.init) == Name(folder)
                    : run.isToldWhole && run.decision != .undecided)
        }
        do throws(StorageError) {
            let store = try RunStore.reading(home.database)
            if let run = try store.runs(commit: base.commit, limit: 50).first(where: isWhole) { return run }
        } catch {
            StandardStreams.tell("kanmon: warning: failed to look up the base run: \(error)")
            return nil
        }
        guard let commit = ObjectID(base.commit), let tree = try await repository.tree(of: commit) else { return nil }
        return try RunStore.reading(home.database)
            .runs(of: commit, tree: tree, at: isPackage ? folder : nil, project: project, limit: 50)
            .first(where: isWhole)
    }
}

extension BaseSearch {
    /// What verdicts are stored by that were compared so; empty where nothing was compared.
    var key: String {
        guard case .found(let base, let others) = self else { return "" }
        return BaseCommit.key(of: [base] + others)
    }

    /// Whether there may be a base that cannot be found.
    var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }

    /// Whether there is no base.
    var isNone: Bool {
        switch self {
        case .none, .undetermined: true
        case .found, .unknown: false
        }
    }
}

extension Note {
    /// The note on rules that compare with a base, if there is no base.
    package static func baseAbsent(_ reason: String) -> Note {
        Note(.baseAbsent, detail: "\(reason): rules that compare with a base do not apply")
    }
}
