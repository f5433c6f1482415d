import Access
import Application
import ArgumentParser
import Delivery
import Exports
import Foundation
import Gate
import Repository
import RunModel
import SettingsFile
import Storage
import TestRunning
import Wording

/// `kanmon doctor`: checks what a run depends on.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything that a run depends on; exits with 78 if there is a problem."
    )

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let process = ProcessContext.current
        let home = store.home(process)
        var isWell = true
        func look(_ name: String, _ body: () async throws -> String) async {
            do {
                StandardStreams.print("✓ \(name): \(TerminalText.safe(Redaction.clean(try await body())))")
            } catch {
                isWell = false
                let problem = Problem(explaining: error)
                StandardStreams.print("✕ \(name): \(TerminalText.safe(Redaction.clean(problem?.reason ?? "\(error)")))")
                if let hint = problem?.hint {
                    StandardStreams.print("  Try: \(TerminalText.safeLines(hint).joined(separator: "\n       "))")
                }
            }
        }
        await look("toolchain") {
            let found = try await ToolchainLocator(
                environment: process.environment, swiftOverride: process.environment["KANMON_SWIFT"]
            ).locate()
            return "\(found.toolchain.swiftVersion), \(found.tools.swift)"
        }
        await look("isolation") {
            let support = IsolationSupport.probe()
            return Isolation.allCases.map { isolation in
                isolation.rawValue + (support.refusal(of: isolation).map { " not possible (\($0))" } ?? " possible")
            }.joined(separator: ", ")
        }
        await look("environment") {
            let settings = try SettingsLoader(process: process)
                .load(packageRoot: process.real(package.packagePath), flags: SettingsFlags(home: store.home))
            return settings.withheld(from: process).words
        }
        // What is wrong with the settings was said above.
        let settings = try? SettingsLoader(process: process)
            .load(packageRoot: process.real(package.packagePath), flags: SettingsFlags(home: store.home))
        if let settings {
            await look("quarantine") {
                try Self.words(on: settings.policy.quarantine, today: CalendarDay(process.now))
            }
        }
        await look("store") {
            let archive = RunArchive(home: home)
            guard home.hasStore else {
                if let gap = try archive.gap(of: nil, now: process.now) { throw gap }
                return "none yet; \(home.database)"
            }
            let stored = try StoredRuns(home, process: process).open()
            if let gap = try archive.gap(of: stored, now: process.now) { throw gap }
            let projects = try stored.projects()
            let runs = projects.reduce(0) { $0 + $1.runs }
            return
                "\(Figures.counted(runs, "run")) of \(Figures.counted(projects.count, "project")) in \(home.database)"
        }
        await look("builds") {
            guard let stale = BuildFolders(cacheHome: home.cache).stale.first else {
                return "no clean build differed from an incremental one"
            }
            throw Problem(
                .badConfiguration,
                "an incremental build of \(stale.packageRoot) was not what a clean one makes: \(stale.differences.first ?? "")",
                hint: "kanmon run --clean compares again; if it comes again, report it with the run directory")
        }
        await look("cache") {
            let folders = BuildFolders(cacheHome: home.cache)
            return CacheCommand.words(folders.all, in: folders.path)
        }
        let webhooks = WebhookFolder(path: home.webhooks)
        if FileManager.default.fileExists(atPath: webhooks.path) {
            await look("webhooks") {
                let statuses = try webhooks.statuses()
                guard let bad = statuses.first(where: { $0.isDisabled || $0.deadLetters > 0 }) else {
                    return Figures.counted(statuses.count, "receiver")
                }
                throw Problem(
                    .ioError,
                    "\(bad.id) (\(bad.host)) "
                        + (bad.isDisabled ? "is disabled, as its receiver answered 410" : "has dead letters")
                        + ": \(Figures.counted(bad.deadLetters, "message")) did not arrive",
                    hint: "kanmon webhook list says why; kanmon webhook retry \(bad.id) sends them again")
            }
        }
        let unread = InboxLedger(home).entries()
        if let first = unread.first {
            await look("inbox") {
                throw Problem(
                    .ioError,
                    "\(Figures.counted(unread.count, "run")) in the inbox of \(first.place) cannot be taken in; "
                        + "\(first.key), since \(first.since): \(first.reason)",
                    hint: "kanmon objects check \(first.place) lists them; with --repair they are tried again")
            }
        }
        await look("server") { try await server(process, home: home) }
        await look("package") {
            let context = try await PackageContext.load(package.packagePath, process: process)
            let described = try await context.describe(process, home: home)
            try context.settings.check(modules: described.modules)
            let tests = described.modules.count { $0.kind == .test }
            return "\(described.name), project \(context.project), "
                + "\(Figures.counted(described.modules.count - tests, "module")), \(Figures.counted(tests, "test target"))"
        }
        await look("hook") {
            let installer = try await HookCommand.installer(package, process: process).installer
            return try await "pre-push \(installer.status(.prePush))"
        }
        if !isWell { throw ExitStatus.badConfiguration }
    }

    /// How many tests are in quarantine, and which entries end soon; one that has ended blocks every run.
    static func words(on quarantine: [QuarantineEntry], today: CalendarDay) throws -> String {
        let soon = today.adding(days: QuarantineEntry.daysAhead)
        let ending = quarantine.filter { $0.expires <= soon }
            .sorted { ($0.expires, Name($0.test)) < ($1.expires, Name($1.test)) }
        var named = ending.prefix(5).map { "that of \($0.test) for \($0.owner) \($0.ending(on: today))" }
        let more = ending.count - named.count
        if more > 0 { named.append("and \(Figures.counted(more, "more entry", "more entries"))") }
        let list = named.joined(separator: "; ")
        guard let first = ending.first else { return Figures.counted(quarantine.count, "test") }
        guard first.expires < today else { return "\(Figures.counted(quarantine.count, "test")); \(list)" }
        throw Problem(
            .badConfiguration, list,
            hint: "repair the tests, or agree on a new day under tests.quarantine in \(SettingsLoader.fileName)")
    }

    /// Whether verdicts of the server are taken.
    private func verdicts(_ target: DeliveryTarget) -> String {
        guard target.reusesVerdicts else { return "its verdicts are not taken" }
        guard let key = target.key else { return "its verdicts are not taken, as its key is not known: log in again" }
        return "its verdicts are taken if they are signed with \(key)"
    }

    /// The server that runs are delivered to, whose token is used, and what waits.
    private func server(_ process: ProcessContext, home: Home) async throws -> String {
        let outbox = Outbox(folder: home.outbox)
        let entries = outbox.entries
        let waiting = entries.isEmpty ? "" : "; \(RunDelivery.wait(entries.count))"
        guard let target = try DeliveryTarget.find(server: nil, process) else {
            return "none, runs stay on this machine\(waiting)"
        }
        let identity = try await LoginCommand.identity(
            of: target.token, at: target.address, process, waiting: outbox, within: .seconds(5))
        guard identity.maySubmit else {
            throw Problem(
                .badConfiguration, "\(target.address): \(identity.words) may not deliver runs\(waiting)",
                hint: "kanmon login with a token of the scope submit")
        }
        if let refused = entries.first(where: { $0.refusal != nil }) {
            throw Problem(
                .ioError,
                "\(target.address): run \(refused.id.short) is not delivered: \(refused.refusal ?? "")\(waiting)",
                hint:
                    "kanmon push offers it once more; kanmon push --forget \(refused.id.short) lets it go, the run stays here"
            )
        }
        return "\(target.address), \(identity.words)\(waiting); \(verdicts(target))"
    }
}
