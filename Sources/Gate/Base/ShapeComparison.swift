import RunModel

/// What became of the base's targets in a run.
struct ShapeComparison: Sendable {
    /// The targets at the base: as its manifest declares them, else as its stored run knew them.
    let before: PackageShape
    /// The targets of the run.
    let after: PackageShape
    /// The targets of both, by kind and name.
    private let old: [Key: PackageShape.Target]
    private let new: [Key: PackageShape.Target]
    /// By a target that is gone: what it was probably renamed to.
    private let successors: [Key: PackageShape.Target]
    /// By the name that a module has now: the one that it had.
    private let formerNames: [Name: String]

    /// A file name that more targets have than these says nothing about which of them another one became.
    private static let mostHolders = 50

    /// A target is compared only with one of its kind: tests with tests, code with code.
    private struct Key: Hashable {
        let isTest: Bool
        let name: Name

        init(_ target: PackageShape.Target) { (isTest, name) = (target.isTest, Name(target.name)) }
    }

    /// Compares; `nil` where nobody knows what was at the base.
    init?(_ run: TestRun, _ baseline: Baseline) {
        guard let before = baseline.basePackage ?? baseline.run.map({ PackageShape($0.targets) }) else { return nil }
        let after = PackageShape(run.modules)
        func byKey(_ shape: PackageShape) -> [Key: PackageShape.Target] {
            Dictionary(shape.targets.map { (Key($0), $0) }) { first, _ in first }
        }
        let (old, new) = (byKey(before), byKey(after))
        let candidates = Candidates(after.targets.filter { old[Key($0)] == nil })
        var successors: [Key: PackageShape.Target] = [:]
        var formerNames: [Name: String] = [:]
        let oldNames = Set(before.targets.map { Name($0.name) })
        for target in before.targets where new[Key(target)] == nil {
            guard let successor = candidates.successor(of: target) else { continue }
            successors[Key(target)] = successor
            let name = Name(successor.name)
            if !target.isTest, formerNames[name] == nil, !oldNames.contains(name) { formerNames[name] = target.name }
        }
        (self.before, self.after, self.old, self.new) = (before, after, old, new)
        (self.successors, self.formerNames) = (successors, formerNames)
    }

    /// Targets that are new, by the names of their files.
    private struct Candidates {
        private let targets: [PackageShape.Target]
        private let holders: [Name: [Int]]

        init(_ targets: [PackageShape.Target]) {
            self.targets = targets
            var holders: [Name: [Int]] = [:]
            for (index, target) in targets.enumerated() {
                // One more than `mostHolders` is kept, which shows that there are too many.
                for file in target.files {
                    let known = holders[Name(file), default: []]
                    if known.count <= ShapeComparison.mostHolders { holders[Name(file)] = known + [index] }
                }
            }
            self.holders = holders
        }

        /// The candidate of the same kind that has most of the files of a target, at least half of them.
        func successor(of target: PackageShape.Target) -> PackageShape.Target? {
            let files = Set(target.files.map { Name($0) })
            var common: [Int: Int] = [:]
            for file in files {
                guard let found = holders[file], found.count <= ShapeComparison.mostHolders else { continue }
                for index in found where targets[index].isTest == target.isTest { common[index, default: 0] += 1 }
            }
            let best = common.filter { $0.value * 2 >= files.count }
                .max { ($0.value, $1.key) < ($1.value, $0.key) }
            return best.map { targets[$0.key] }
        }
    }

    /// The target at the base of the same kind and name.
    func twinBefore(_ target: PackageShape.Target) -> PackageShape.Target? { old[Key(target)] }

    /// The target of the run of the same kind and name.
    func twinNow(_ target: PackageShape.Target) -> PackageShape.Target? { new[Key(target)] }

    /// The target that a target of the base was probably renamed to; `nil` if that still exists, or if none is similar enough.
    func successor(of target: PackageShape.Target) -> PackageShape.Target? { successors[Key(target)] }

    /// The name at the base of a module of the run that has another one now.
    func formerName(of module: String) -> String? { formerNames[Name(module)] }

    /// Whether a name was that of a module that counted at the base.
    func wasModule(_ name: String) -> Bool {
        [true, false].contains { isTest in
            old[Key(PackageShape.Target(name: name, isTest: isTest, isModule: true))]?.isModule == true
        }
    }
}
