import RunModel

public import struct Foundation.Date

extension RunManifest {
    /// The largest manifest, in bytes: 16 MiB.
    package static let largest = 16 << 20
    /// The longest name of a project, package, branch, author, module or toolchain, and the longest subject of a commit, in bytes.
    static let longestName = 1024
    /// All texts of what a run depends on, in bytes: 256 KiB.
    private static let mostOfInputs = 256 << 10
    /// The longest path, argument or sentence, in bytes: twice what Linux takes for one argument.
    package static let longestText = 256 << 10
    /// How many artifacts a run has at most; each missing one is reported.
    private static let mostArtifacts = 10_000
    /// How many sources a run keeps at most.
    private static let mostSources = 50_000
    /// How many gaps and notes a run has at most; each is reported.
    private static let mostFindings = 10_000
    /// How many targets a package has at most.
    private static let mostModules = 5_000
    /// How many steps and passes a run has at most.
    private static let (mostSteps, mostPasses) = (10_000, 1_000)
    /// How many tests were running at most when a time limit ended a pass.
    private static let mostRunning = 10_000
    /// How many expressions select tests of passes whose tests are not recorded at most; each name of a test is compared with all.
    private static let mostPatterns = 100
    /// The longest of them, in bytes.
    private static let longestPattern = 1024
    /// How many folders in reports of other tools can be mapped to others at most; each path is compared with all.
    public static let mostPathMaps = 100
    /// The longest run, and the longest step of one: 400 days.
    package static let longestDuration = Duration.seconds(400 * 86_400)
    /// Before this moment nobody ran a test with Swift: 2000-01-01.
    private static let earliest = Date(timeIntervalSince1970: 946_684_800)
    /// By how many seconds the clocks of machines may differ.
    private static let clockSkew = 300.0
    /// By how many seconds the moment in a run's id and its beginning may differ.
    private static let idSkew = 86_400.0

    /// Refuses what no run can have, whoever says it: names without end, counts and sizes below zero, paths that lead out.
    ///
    /// - Throws: `EvidenceError.malformedManifest` with the field.
    func checkLimits(path: String) throws(EvidenceError) {
        guard let fault else { return }
        throw .malformedManifest(path: path, line: nil, reason: fault)
    }

    /// Refuses a beginning that cannot be true: before 2000, more than five minutes from now, or another day than the run's id has.
    ///
    /// It would stand above all that comes later, and decide what is said of a branch.
    ///
    /// - Throws: `EvidenceError.implausibleTime`.
    public func checkTime(now: Date, path: String) throws(EvidenceError) {
        if let reason = Self.timeFault(self.startedAt, now: now) {
            throw .implausibleTime(file: path, reason: "startedAt is \(Timestamp.text(of: self.startedAt)), \(reason)")
        }
        let named = Double(self.id.milliseconds) / 1000
        guard abs(named - self.startedAt.timeIntervalSince1970) <= Self.idSkew else {
            throw .implausibleTime(
                file: path,
                reason: "startedAt is \(Timestamp.text(of: self.startedAt)), but the id \(self.id) is of another day")
        }
    }

    /// Why no run that is known now can have begun at a moment; `nil` when it can.
    package static func timeFault(_ moment: Date, now: Date) -> String? {
        if moment < earliest { return "before 2000" }
        return moment > now.addingTimeInterval(clockSkew) ? "which is still to come" : nil
    }

    /// What no run can have, with its field; `nil` where all is as it can be.
    package var fault: String? {
        nameFault ?? durationFault ?? countFault ?? artifactFault ?? textFault ?? inputsFault ?? patternFault
    }

    private var nameFault: String? {
        let names: [(String, String)] = [
            ("project", self.project), ("package", self.package), ("seed", self.seed ?? "none"),
        ]
        if self.toolchain == nil, self.engine != .foreign { return "toolchain: it is missing" }
        for (field, name) in names {
            if name.isEmpty { return "\(field): it is empty" }
        }
        let origin = self.origin
        // Lists show these of many runs.
        let revision = self.revision
        var all = names
        all += [
            ("kanmonVersion", self.kanmonVersion), ("revision.branch", revision?.branch),
            ("revision.author", revision?.author),
            ("revision.subject", revision?.subject), ("revision.commit", revision?.commit),
            ("revision.tree", revision?.tree), ("toolchain.swiftVersion", self.toolchain?.swiftVersion),
            ("toolchain.llvmVersion", self.toolchain?.llvmVersion), ("toolchain.target", self.toolchain?.target),
            ("machine.processor", self.machine?.processor),
        ]
        .map { ($0, $1 ?? "") }
        all += [("origin.host", origin?.host), ("origin.build.job", origin?.build?.job)].map { ($0, $1 ?? "") }
        all += [
            ("origin.build.node", origin?.build?.node), ("origin.build.url", origin?.build?.url),
            ("origin.repository.url", origin?.repository?.url), ("origin.change.number", origin?.change?.number),
            ("origin.change.url", origin?.change?.url), ("origin.change.target", origin?.change?.target),
            ("origin.change.source", origin?.change?.source), ("origin.change.author", origin?.change?.author),
        ]
        .map { ($0, $1 ?? "") }
        for module in self.modules {
            all.append(("modules.name", module.name))
            all.append(("modules.compilerName", module.compilerName))
        }
        if let url = origin?.build?.url, !RunHost.isPlainAddress(url) {
            return "origin.build.url: it is no plain http or https address"
        }
        if let url = origin?.change?.url, !RunHost.isPlainAddress(url) {
            return "origin.change.url: it is no plain http or https address"
        }
        if let url = origin?.repository?.url, !ForgeRepository.isLinkable(url) {
            return "origin.repository.url: it is no plain https address of a repository"
        }
        var seen: Set<Name> = []
        if let twice = self.modules.first(where: { !seen.insert(Name($0.name)).inserted }) {
            return "modules.name: '\(twice.name.cut(toBytes: Self.longestName))' is there twice"
        }
        let commits = (self.revision?.history ?? []).flatMap { [$0.commit] + $0.parents }
        if commits.contains(where: { !CommitParents.isName($0) }) { return "revision.history: it names no commits" }
        return all.first { $0.1.utf8.count > Self.longestName }.map { field, name in
            "\(field): \(name.utf8.count) bytes, the limit is \(Self.longestName)"
        }
    }

    private var durationFault: String? {
        var all: [(String, Duration)] = [("duration", self.duration)]
        all += self.steps.map { ("steps.duration", $0.duration) }
        if let coverage = self.coverage { all.append(("coverage.duration", coverage.duration)) }
        return all.first { $0.1 < .zero || $0.1 > Self.longestDuration }.map { field, duration in
            "\(field): \(duration.nanosecondCount) ns is not between 0 and 400 days"
        }
    }

    private var countFault: String? {
        var counts: [(String, Int)] = self.profiles.map { ("profiles", $0) }
        counts += self.artifacts.map { ("artifacts.bytes", $0.bytes) }
        counts += (self.attachments ?? []).map { ("attachments.bytes", $0.bytes) }
        if let coverage = self.coverage { counts.append(("coverage.functions", coverage.functions)) }
        if let machine = self.machine { counts.append(("machine.cores", machine.cores)) }
        if let jobs = self.jobs, jobs < 1 { return "jobs: \(jobs) is below 1" }
        if let (field, count) = counts.first(where: { $0.1 < 0 }) { return "\(field): \(count) is below 0" }
        let history = self.revision?.history ?? []
        let parents = history.map(\.parents.count).max() ?? 0
        let running = (self.passes ?? []).reduce(0) { $0 + ($1.diagnosis?.running.count ?? 0) }
        let lists: [(field: String, count: Int, most: Int)] = [
            ("artifacts", self.artifacts.count, Self.mostArtifacts), ("gaps", self.gaps.count, Self.mostFindings),
            ("notes", self.notes.count, Self.mostFindings), ("modules", self.modules.count, Self.mostModules),
            ("sources", self.sources.count, Self.mostSources), ("steps", self.steps.count, Self.mostSteps),
            ("passes", self.passes?.count ?? 0, Self.mostPasses),
            ("passes.diagnosis.running", running, Self.mostRunning),
            ("dependencies", self.dependencies?.count ?? 0, Self.mostFindings),
            ("variables", self.variables?.count ?? 0, Self.mostFindings),
            ("pathMaps", self.pathMaps?.count ?? 0, Self.mostPathMaps),
            ("attachments", self.attachments?.count ?? 0, Self.mostArtifacts),
            ("revision.history", history.count, CommitParents.most),
            ("revision.history.parents", parents, CommitParents.mostParents),
        ]
        if let list = lists.first(where: { $0.count > $0.most }) {
            return "\(list.field): \(list.count) of them, the limit is \(list.most)"
        }
        return self.artifacts.first { $0.bytes > RunDirectory.fileLimit }.map {
            "artifacts.bytes: \($0.bytes) bytes, the limit is \(RunDirectory.fileLimit)"
        }
    }

    private var artifactFault: String? {
        var seen: Set<Name> = []
        for path in self.artifacts.map(\.path) {
            guard RunDirectory.isContained(path) else {
                return "artifacts.path: '\(path)' leads out of the run directory"
            }
            guard seen.insert(Name(path)).inserted else { return "artifacts.path: '\(path)' is there twice" }
            let parts = path.pathParts()
            let own = [Self.fileName, DeliveryRecord.fileName]
            // In a repository git would do what its configuration says.
            if parts.contains(where: { $0.lowercased() == ".git" }) || own.contains(where: { parts == [Substring($0)] })
                || parts.first.map(String.init) == RunDirectory.sourcesFolder
            {
                return "artifacts.path: '\(path)' is no artifact"
            }
        }
        return nil
    }

    /// What a run depends on is read of many runs for one answer.
    private var inputsFault: String? {
        guard let inputs = self.inputs else { return nil }
        let texts =
            [
                inputs.package ?? "", inputs.platform, inputs.checkout, inputs.environment, inputs.places,
                inputs.settings,
            ]
            + (inputs.dependencies ?? [])
        let bytes = texts.reduce(0) { $0 + $1.utf8.count + 4 }
        return bytes <= Self.mostOfInputs ? nil : "inputs: \(bytes) bytes, the limit is \(Self.mostOfInputs)"
    }

    /// Expressions are compared with the names of all listed tests, but where the tests of a pass are recorded.
    private var patternFault: String? {
        let patterns = self.steps.map { $0.kind == .test ? $0.patterns : [] }
        var count = 0
        for pass in self.passesInOrder where pass.tests == nil {
            for step in pass.steps where patterns.indices.contains(step) {
                count += patterns[step].count
                if let bytes = patterns[step].lazy.map(\.utf8.count).first(where: { $0 > Self.longestPattern }) {
                    return "steps.arguments: a filter of \(bytes) bytes, the limit is \(Self.longestPattern)"
                }
                guard count <= Self.mostPatterns else {
                    return "steps.arguments: more than \(Self.mostPatterns) filters for tests that are not recorded"
                }
            }
        }
        return nil
    }

    private var textFault: String? {
        var all: [(String, String)] = [("packageRoot", self.packageRoot)]
        all += self.arguments.map { ("arguments", $0) }
        all += self.steps.flatMap(\.arguments).map { ("steps.arguments", $0) }
        all += (self.pathMaps ?? []).flatMap { [$0.from, $0.to] }.map { ("pathMaps", $0) }
        all += self.withheldEnvironment.map { ("withheldEnvironment", $0) }
        all += (self.dependencies ?? []).map { ("dependencies", $0) }
        all += (self.variables ?? [:]).flatMap { [$0.key, $0.value] }.map { ("variables", $0) }
        all.append(("revision.folder", self.revision?.folder ?? ""))
        all.append(("interop.mode", self.interop?.mode ?? ""))
        all += (self.attachments ?? []).flatMap { [$0.file, $0.reason ?? ""] }.map { ("attachments", $0) }
        all += self.gaps.flatMap { [$0.subject, $0.detail] }.map { ("gaps", $0) }
        all += self.notes.flatMap { [$0.subject, $0.detail] }.map { ("notes", $0) }
        return all.first { $0.1.utf8.count > Self.longestText }.map { field, text in
            "\(field): \(text.utf8.count) bytes, the limit is \(Self.longestText)"
        }
    }
}

extension RunStep {
    /// The expressions by which tests were selected or left out.
    fileprivate var patterns: [String] {
        var found: [String] = []
        var isNext = false
        for argument in arguments.dropFirst() {
            if isNext {
                found.append(argument)
                isNext = false
            } else if argument == "--filter" || argument == "--skip" {
                isNext = true
            } else if argument.hasPrefix("--filter=") {
                found.append(String(argument.dropFirst(9)))
            } else if argument.hasPrefix("--skip=") {
                found.append(String(argument.dropFirst(7)))
            }
        }
        return found
    }
}
