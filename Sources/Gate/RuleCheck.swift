public import RunModel

extension Policy {
    /// Checks every module rule against the targets of the package; without any target there is nothing to say.
    ///
    /// `notMeasurable` gives the reason for a module without coverage to measure; of what is not known before a run, it
    /// says nothing. The pattern `*` may match nothing.
    public func checkRules(
        against modules: [Module],
        notMeasurable: (Module) -> String? = { $0.reasonNotMeasurable }
    ) throws(PolicyError) {
        guard !modules.isEmpty, !self.modules.isEmpty else { return }
        let check = RuleCheck(self.modules, modules)
        for index in self.modules.indices { try check.check(index, notMeasurable) }
    }
}

/// Rules for modules, with the modules that each of them is for.
private struct RuleCheck {
    private let rules: [ModuleRule]
    private let patterns: PatternSet
    private let byName: [Name: Module]
    private let judged: [Module]
    /// By rule: the places of the modules that it is for.
    private var matches: [[Int]]
    /// By module: a bit for each rule with a wildcard that is for it.
    private var wild: [[UInt64]]
    /// The places of the rules with a wildcard.
    private let wildRules: [Int]

    init(_ rules: [ModuleRule], _ modules: [Module]) {
        self.rules = rules
        patterns = PatternSet(rules.map(\.pattern))
        byName = Dictionary(modules.map { (Name($0.name), $0) }) { first, _ in first }
        judged = modules.filter { $0.kind != .test }
        wildRules = rules.indices.filter { rules[$0].isPattern }
        matches = rules.map { _ in [] }
        wild = judged.map { _ in [] }
        let numbers = Dictionary(uniqueKeysWithValues: wildRules.enumerated().map { ($1, $0) })
        let none = Array(repeating: 0 as UInt64, count: (wildRules.count + 63) / 64)
        for (place, module) in judged.enumerated() {
            var bits = none
            for rule in patterns.all(for: module.name) {
                matches[rule].append(place)
                if let number = numbers[rule] { bits[number / 64] |= 1 << UInt64(number % 64) }
            }
            wild[place] = bits
        }
    }

    func check(_ index: Int, _ notMeasurable: (Module) -> String?) throws(PolicyError) {
        let rule = rules[index]
        if rule.isPattern { return try check(pattern: index, notMeasurable) }
        guard let module = byName[Name(rule.pattern)] else {
            throw .unknownModule(name: rule.pattern, known: judged.map(\.name))
        }
        if let reason = notMeasurable(module) { throw .moduleNotMeasurable(module: module.name, reason: reason) }
        if let first = patterns.first(for: module.name), first < index {
            throw .ruleShadowed(pattern: rule.pattern, by: rules[first].pattern)
        }
    }

    /// Checks a pattern against the modules: there must be one that it sets a floor on.
    ///
    /// Rules by name may take all of its modules, because it is there for those to come; an earlier pattern that takes
    /// all of them probably takes those as well.
    private func check(pattern index: Int, _ notMeasurable: (Module) -> String?) throws(PolicyError) {
        let rule = rules[index]
        guard patterns.originals[index] == index else { throw .ruleShadowed(pattern: rule.pattern, by: rule.pattern) }
        guard rule.pattern != "*" else { return }
        let matches = matches[index]
        guard let first = matches.first.map({ judged[$0] }) else {
            throw .ruleMatchesNothing(pattern: rule.pattern, known: judged.map(\.name))
        }
        if let reason = notMeasurable(first), matches.allSatisfy({ notMeasurable(judged[$0]) != nil }) {
            throw .moduleNotMeasurable(module: rule.pattern, reason: "\(first.name) (\(reason))")
        }
        // By the manifest alone: what a run finds out about a module says nothing about the order of the rules.
        let measurable = matches.filter { judged[$0].reasonNotMeasurable == nil }
        if let other = firstPattern(before: index, forAll: measurable) {
            throw .ruleShadowed(pattern: rule.pattern, by: rules[other].pattern)
        }
    }

    /// The first rule with a wildcard before another that is for all of some modules.
    private func firstPattern(before index: Int, forAll places: [Int]) -> Int? {
        guard let number = wildRules.firstIndex(of: index) else { return nil }
        var bits = Array(repeating: UInt64.max, count: (wildRules.count + 63) / 64)
        for place in places {
            var any: UInt64 = 0
            for word in 0...number / 64 {
                bits[word] &= wild[place][word]
                any |= bits[word]
            }
            if any == 0 { return nil }
        }
        return (0..<number).first { bits[$0 / 64] & 1 << UInt64($0 % 64) != 0 }.map { wildRules[$0] }
    }
}
