import Evidence
import Foundation
import RunModel

/// What all shards of one run have in common; whatever has not belongs to another run.
struct ShardConsistency {
    private let shards: [ShardRun]
    /// The shard that most of the others are shards of the same run with; of several the first.
    let reference: ShardRun

    /// How many differences are named.
    private static let most = 5

    /// Compares the shards; there is at least one.
    init?(_ shards: [ShardRun]) {
        self.shards = shards
        let kin = shards.map { one in shards.count { Self.differences(of: $0, from: one).isEmpty } }
        guard let most = kin.max(), let place = kin.firstIndex(of: most) else { return nil }
        reference = shards[place]
    }

    /// Why a shard is none of the reference's run; empty when it is one.
    func differences(of shard: ShardRun) -> [String] {
        let found = Self.differences(of: shard, from: reference)
        let rest = found.count - Self.most
        return found.prefix(Self.most) + (rest > 0 ? [Figures.counted(rest, "more difference")] : [])
    }

    /// The shard whose policy, base and comparison the merged run has: of those that are shards of one run the first that knew a
    /// run of the base, since rules that compare with one judge more than without.
    var judged: ShardRun {
        let kin = shards.filter { differences(of: $0).isEmpty }
        return kin.first { $0.facts.knowsBaseRun } ?? kin.first ?? reference
    }

    private static func differences(of one: ShardRun, from other: ShardRun) -> [String] {
        var found = one.facts.differences(from: other.facts)
        // A failed build may have ended before anybody knew, and nothing gets greener by that.
        if !one.run.buildFailed { found += one.facts.unknown }
        if let mine = one.listed, let theirs = other.listed, mine != theirs {
            let (only, missing) = (mine.count { theirs[$0.key] == nil }, theirs.count { mine[$0.key] == nil })
            found.append("another list of tests (\(only) more, \(missing) fewer)")
        }
        return found
    }
}

/// The facts that the shards of one run share: everything that the manifest says, and everything that the run is judged by and
/// compared with, but for a list of what may differ.
///
/// The list names what is left out, never what is compared: a fact that comes into a manifest one day is compared from that day on.
struct ShardFacts {
    /// What is a shard's own, or only its machine's: its id and what that was made of, when, where and by which command it ran,
    /// which tests fell to it, what it found and left behind. Of the branch a machine may know nothing, and no verdict rests on
    /// it, nor on who owns a file, whose form a machine may tell by its remote. The store of a machine decides whether there is a run
    /// of the base; `ShardConsistency.judged` sees to that.
    private static let own: Set<String> = [
        "manifest.runID", "manifest.seed", "manifest.startedAt", "manifest.duration", "manifest.arguments",
        "manifest.packageRoot", "manifest.machine", "manifest.origin", "manifest.isolation",
        "manifest.withheldEnvironment", "manifest.jobs", "manifest.variables",
        "manifest.inputs.places", "manifest.revision.branch", "manifest.selection.shard", "manifest.steps",
        "manifest.passes",
        "manifest.profiles", "manifest.counters", "manifest.coverage", "manifest.gaps", "manifest.notes",
        "manifest.artifacts", "manifest.attachments", "baseline.run", "baseline.owners",
        "comparison.coverage", "comparison.sameTree",
    ]
    /// What a run is judged by and compared with.
    static let judging: Set<ArtifactRole> = [.policy, .baseline, .comparison]

    /// Facts as JSON by the path of their key; lists are one fact.
    private let values: [Name: Name]
    /// What a shard must know of itself, in words; empty if it does.
    let unknown: [String]
    /// Whether it was compared with a run of the base.
    let knowsBaseRun: Bool

    /// Collects the facts of a run directory.
    init(_ manifest: RunManifest, in directory: RunDirectory) throws(EvidenceError) {
        var values: [Name: Name] = [:]
        do {
            try Self.collect(JSONSerialization.jsonObject(with: Data(manifest.encoded())), at: "manifest", &values)
        } catch {
            throw .damaged(file: RunManifest.fileName, reason: "\(error)")
        }
        var knowsBaseRun = false
        for artifact in manifest.artifacts where Self.judging.contains(artifact.role) {
            let place = artifact.role.rawValue
            do throws(EvidenceError) {
                let bytes = Data(try directory.value(of: artifact))
                guard let value = try? JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed) else {
                    throw .damaged(file: artifact.path, reason: "it is no JSON")
                }
                if artifact.role == .baseline { knowsBaseRun = (value as? [String: Any])?["run"] != nil }
                Self.collect(value, at: place, &values)
            } catch {
                guard error.isBadInput else { throw error }
                // Equal to that of no other shard.
                values[Name(place)] = Name("unreadable in run \(manifest.id)")
            }
        }
        self.values = values
        self.knowsBaseRun = knowsBaseRun
        unknown =
            (manifest.inputs == nil ? ["its settings and environment are unknown"] : [])
            + (manifest.dependencies == nil ? ["the versions of its dependencies are unknown"] : [])
    }

    /// What differs from another shard, in the order of the keys; may hold untrusted text.
    func differences(from other: ShardFacts) -> [String] {
        let keys = Set(values.keys).union(other.values.keys).filter { values[$0] != other.values[$0] }
        return keys.sorted().map { key in
            let (mine, theirs) = (Self.shown(values[key]), Self.shown(other.values[key]))
            let name = key.text.replacing("manifest.", with: "", maxReplacements: 1)
            guard let mine, let theirs else { return "another \(name)" }
            return "another \(name) (\(mine) instead of \(theirs))"
        }
    }

    /// A value of one line; `nil` if it is too long to be shown.
    private static func shown(_ value: Name?) -> String? {
        guard let text = value?.text else { return "none" }
        return text.utf8.count <= 100 ? text : nil
    }

    /// Adds a value and all below it.
    private static func collect(_ value: Any, at path: String, _ values: inout [Name: Name]) {
        guard !own.contains(path) else { return }
        if let object = value as? [String: Any] {
            for (key, value) in object { collect(value, at: "\(path).\(key)", &values) }
        } else if let text = value as? String {
            values[Name(path)] = Name(text)
        } else {
            let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes]
            let bytes = try? JSONSerialization.data(withJSONObject: value, options: options)
            values[Name(path)] = Name(bytes.map { String(decoding: $0, as: UTF8.self) } ?? "unreadable")
        }
    }
}
