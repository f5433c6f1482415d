import RunModel

/// The facts of a run that are stored as one value, nearly always the same from run to run: all without a column or table of their
/// own, by which runs are found, counted or compared.
struct FactsWithoutColumns: Codable, Sendable {
    struct Unmeasurable: Codable, Sendable {
        var module: String
        var reason: String
    }

    /// The facts without those that are kept elsewhere.
    private var facts: RunFacts
    private var notMeasurable: [Unmeasurable]

    init(_ run: TestRun) {
        facts = run.facts
        facts.toolchain = nil
        facts.selection = nil
        facts.machine = nil
        facts.origin = nil
        facts.inputs = nil
        facts.steps = []
        notMeasurable = run.notMeasurable.map { Unmeasurable(module: $0.key, reason: $0.value) }
            .sorted { Name($0.module) < Name($1.module) }
    }

    /// The facts with those that are kept elsewhere.
    func completed(
        toolchain: Toolchain?, selection: Selection?, machine: MachineClass?, origin: RunHost?, inputs: RunInputs?,
        steps: [RunStep]
    ) -> RunFacts {
        var facts = self.facts
        facts.toolchain = toolchain
        facts.selection = selection
        facts.machine = machine
        facts.origin = origin
        facts.inputs = inputs
        facts.steps = steps
        return facts
    }

    /// Why modules cannot be measured, by their names.
    var reasons: [String: String] {
        Dictionary(notMeasurable.map { ($0.module, $0.reason) }, uniquingKeysWith: { first, _ in first })
    }
}
