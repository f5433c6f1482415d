import Foundation
import Gate
import RunModel
import Wording

extension JSONReport {
    struct Run: Hashable, Encodable {
        struct Revision: Hashable, Encodable {
            let commit: String?
            let tree: String?
            let branch: String?
            let subject: String?
            let author: String?
            let dirty: Bool
            let exact: Bool
        }

        struct Toolchain: Hashable, Encodable {
            let swift: String
            let llvm: String
            let target: String
            let buildSystem: String?
            let traits: [String]?
            let sanitizer: String?
            let swiftFlags: [String]?
        }

        struct Interop: Hashable, Encodable {
            let rule: String
            let mode: String?
        }

        struct Origin: Hashable, Encodable {
            struct Build: Hashable, Encodable {
                let url: String?
                let job: String?
                let node: String?
            }

            struct Repository: Hashable, Encodable {
                let forge: String
                let url: String
            }

            struct Change: Hashable, Encodable {
                let number: String
                let url: String?
                let target: String?
                let source: String?
                let author: String?
            }

            let host: String?
            let build: Build?
            let repository: Repository?
            let change: Change?

            init(_ origin: RunHost) {
                host = origin.host
                build = origin.build.map { Build(url: $0.link, job: $0.job, node: $0.node) }
                repository = origin.repository.flatMap { found in
                    ForgeRepository.isLinkable(found.url)
                        ? Repository(forge: found.kind.rawValue, url: found.url) : nil
                }
                change = origin.change.map {
                    Change(
                        number: $0.number, url: $0.link, target: $0.target, source: $0.source, author: $0.author)
                }
            }
        }

        struct Selection: Hashable, Encodable {
            let partial: Bool
            let filters: [String]
            let skips: [String]
            let disabledTargets: [String]
            let targets: [String]?
            let rerunOf: String?
            let shard: String?

            init(_ selection: RunModel.Selection) {
                partial = selection.isPartial
                filters = selection.filters
                skips = selection.skips
                disabledTargets = selection.disabledTargets
                targets = selection.targets
                rerunOf = selection.rerunOf?.description
                shard = selection.shard?.description
            }
        }

        let id: String
        let project: String
        let package: String
        let startedAt: String
        let durationNanoseconds: Int64
        let engine: String
        let jobs: Int?
        let interop: Interop?
        let selection: Selection
        let revision: Revision?
        let toolchain: Toolchain?
        let origin: Origin?

        init(_ run: TestRun) {
            id = run.id.description
            project = run.project
            package = run.package
            startedAt = Timestamp.utc(run.startedAt)
            durationNanoseconds = run.duration.nanosecondCount
            engine = run.engine.rawValue
            jobs = run.jobs
            interop = run.interop.map { Interop(rule: $0.rule.rawValue, mode: $0.mode) }
            selection = Selection(run.selection)
            origin = run.origin.map(Origin.init)
            revision = run.revision.map {
                Revision(
                    commit: $0.commit, tree: $0.tree, branch: $0.branch, subject: $0.subject, author: $0.author,
                    dirty: $0.isDirty,
                    exact: $0.isExact
                )
            }
            toolchain = run.toolchain.map {
                Toolchain(
                    swift: $0.swiftVersion, llvm: $0.llvmVersion, target: $0.target,
                    buildSystem: $0.buildSystem?.rawValue,
                    traits: $0.build?.traits, sanitizer: $0.build?.sanitizer.rawValue,
                    swiftFlags: $0.build?.swiftFlags.map { Redaction.clean($0) })
            }
        }
    }

    struct VerdictSummary: Hashable, Encodable {
        let decision: String
        let exitStatus: Int32
        let headline: String
        let allowedFailures: Int?

        init(_ run: TestRun, _ verdict: Verdict) {
            decision = verdict.decision.rawValue
            exitStatus = verdict.exitStatus.rawValue
            headline = TerminalText.safe(Headline(run, verdict).text)
            allowedFailures = verdict.allowedFailures.isEmpty ? nil : verdict.allowedFailures.count
        }
    }

    /// A gap or a note, with its stable code.
    struct Remark: Hashable, Encodable {
        let code: String
        let subject: String
        let detail: String
        let meaning: String
        let remedy: String?

        init(_ code: ReasonCode, _ subject: String, _ detail: String, remedy: String?) {
            self.code = code.rawValue
            self.subject = subject
            self.detail = detail
            meaning = code.meaning
            self.remedy = remedy
        }
    }
}
