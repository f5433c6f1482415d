import Foundation

/// SwiftPM's plan of a build: which command makes which file of which others.
struct BuildPlan: Sendable, Hashable {
    /// One command of the plan.
    struct Command: Sendable, Hashable {
        /// The files that it needs, as far as SwiftPM knows.
        var inputs: [[UInt8]] = []
        /// The files that it makes.
        var outputs: [[UInt8]] = []
        /// The words of its command line; empty where SwiftPM does the work itself.
        var arguments: [[UInt8]] = []
    }

    /// In the order of the plan.
    private(set) var commands: [Command] = []
    private let makers: [[UInt8]: Int]

    /// Reads a plan of the native build system.
    init(_ plan: Data) {
        var commands: [Command] = []
        plan.withUnsafeBytes { plan in
            for line in plan.split(separator: UInt8(ascii: "\n")) {
                if line.starts(with: Self.beginning) { commands.append(Command()) }
                guard let last = commands.indices.last else { continue }
                if let list = Self.list(in: line, after: Self.inputs) { commands[last].inputs = list }
                if let list = Self.list(in: line, after: Self.outputs) { commands[last].outputs = list }
                if let list = Self.list(in: line, after: Self.arguments) { commands[last].arguments = list }
            }
        }
        self.commands = commands.filter { !$0.outputs.isEmpty }
        makers = Dictionary(
            self.commands.enumerated().flatMap { number, command in command.outputs.map { ($0, number) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The command that makes a file.
    func maker(of path: [UInt8]) -> Command? { makers[path].map { commands[$0] } }

    /// Whether some command makes a file in the folder of the products: a plan of another form, or of another folder, tells nothing.
    func makes(anythingIn products: ProductFolder) -> Bool {
        commands.contains { $0.outputs.contains { products.relative($0) != nil } }
    }

    /// The sources of Swift that compilers are given, by their paths.
    var compiled: Set<[UInt8]> {
        Set(commands.filter { !$0.arguments.isEmpty }.flatMap(\.inputs).filter { $0.hasSuffix(".swift") })
    }

    /// The commands that have to end before others begin, by the targets' declared dependencies.
    struct Order {
        private let plan: BuildPlan
        /// For each command, once it was requested, a bit for each that comes before.
        private var known: [Int: [UInt64]] = [:]

        fileprivate init(_ plan: BuildPlan) { self.plan = plan }

        /// Whether one file is made before the command that makes another begins; `false` if one of them is not planned.
        mutating func isMade(_ path: [UInt8], before other: [UInt8]) -> Bool {
            guard let first = plan.makers[path], let second = plan.makers[other] else { return false }
            return before(second)[first / 64] >> (first % 64) & 1 == 1
        }

        /// The modules that are made before the command that makes a file begins.
        mutating func modules(before path: [UInt8]) -> [[UInt8]] {
            guard let maker = plan.makers[path] else { return [] }
            let bits = before(maker)
            return plan.commands.indices.filter { bits[$0 / 64] >> ($0 % 64) & 1 == 1 }
                .flatMap { plan.commands[$0].outputs.filter { $0.hasSuffix(".swiftmodule") } }
        }

        private mutating func before(_ command: Int) -> [UInt64] {
            if let bits = known[command] { return bits }
            var bits = [UInt64](repeating: 0, count: plan.commands.count / 64 + 1)
            // What needs itself is no plan of SwiftPM; it ends here.
            known[command] = bits
            for input in Set(plan.commands[command].inputs.compactMap { plan.makers[$0] }) where input != command {
                bits[input / 64] |= 1 << (input % 64)
                for (word, inner) in before(input).enumerated() { bits[word] |= inner }
            }
            known[command] = bits
            return bits
        }
    }

    /// The order of the commands.
    var order: Order { Order(self) }

    private static let beginning = Array("  \"".utf8)
    private static let inputs = Array("    inputs: ".utf8)
    private static let outputs = Array("    outputs: ".utf8)
    private static let arguments = Array("    args: ".utf8)

    /// A list of quoted texts behind a word.
    private static func list(in line: Slice<UnsafeRawBufferPointer>, after word: [UInt8]) -> [[UInt8]]? {
        guard line.starts(with: word) else { return nil }
        let list = line.dropFirst(word.count)
        guard list.first == UInt8(ascii: "["), list.last == UInt8(ascii: "]") else { return nil }
        guard list.contains(UInt8(ascii: "\\")) else {
            let parts = list.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            // Every other part is quoted.
            return stride(from: 1, to: parts.count, by: 2).map { Array(parts[$0]) }
        }
        return (try? JSONDecoder().decode([String].self, from: Data(list)))?.map { Array($0.utf8) }
    }
}
