import Gate
import RunModel

extension JSONReport {
    /// The run compared with its base.
    struct Comparison: Hashable, Encodable {
        struct Base: Hashable, Encodable {
            let name: String
            let commit: String
            let kind: String
            let run: String?
        }

        struct File: Hashable, Encodable {
            let path: String
            let lines: CoverageTally
            let missed: [[Int]]
            let moved: [[Int]]
            let added: [[Int]]
        }

        struct Indirect: Hashable, Encodable {
            let path: String
            let lost: [[Int]]
            let gained: [[Int]]
            let unstable: [[Int]]
        }

        let base: Base
        let lines: CoverageTally
        let floor: String?
        let minimumLines: Int?
        let judged: Bool
        let files: [File]
        let indirect: [Indirect]
        let project: CoverageTally?
        let before: CoverageTally?
        /// Lines by the category of differential coverage: `UNC`, `GNC`, `LBC`, …
        let classes: [String: Int]
        let unrelatedFailures: [String]

        init(_ change: ChangeStatus) {
            func pairs(_ ranges: [ClosedRange<Int>]) -> [[Int]] { ranges.map { [$0.lowerBound, $0.upperBound] } }
            base = Base(
                name: change.base.name, commit: change.base.commit, kind: change.base.kind.rawValue,
                run: change.baseRun?.description)
            lines = change.lines
            floor = change.rule?.line.description
            minimumLines = change.rule?.minimumLines
            judged = change.isJudged
            files = change.files.map {
                File(
                    path: $0.path, lines: $0.tally, missed: pairs($0.missed), moved: pairs($0.debt),
                    added: pairs($0.added))
            }
            indirect = change.indirect.map {
                Indirect(path: $0.path, lost: pairs($0.lost), gained: pairs($0.gained), unstable: pairs($0.unstable))
            }
            project = change.project
            before = change.before
            unrelatedFailures = change.unrelatedFailures.map(\.description)
            classes = Dictionary(uniqueKeysWithValues: change.classes.map { ($0.name.rawValue, $0.lines) })
        }
    }
}
