public import Foundation
public import Gate
public import RunModel
import Wording

extension SheetPage {
    /// The machines that deliver runs: when each was last heard from, what it delivered, what waits there, and what was refused.
    ///
    /// - Parameters:
    ///   - days: How far back runs and refusals are counted.
    ///   - webhooks: The receivers that the server tells what happens, where the reader may know of them.
    ///   - kept: The class of trust that all of these machines have, where the list is kept to one.
    ///   - order: The order that was requested, in which they are.
    public static func machines(
        _ machines: [DeliveringMachine], days: Int, webhooks: [WebhookStatus] = [], kept: String? = nil,
        order: ListOrder? = nil, now: Date, links: Links = .dashboard
    ) -> SheetPage {
        let sorting = Sorting(order, standard: .newestFirst) { links.find(.machines(kept: kept, order: $0)) }
        let section = SheetSection(
            nil, CellTable(machineColumns, machines, now, sorting: sorting),
            empty: kept == nil
                ? EmptyList(
                    "No machine has delivered a run yet.",
                    "Make a token for it where the server runs. Then, on the machine:", command: "kanmon login URL")
                : .nothingMatches)
        return SheetPage(
            frame: PageFrame(title: "Machines", here: "machines", links: links), heading: "Machines",
            summary: summary(of: machines, days), tabs: Tabs(selected: .machines(), links: links),
            filter: ListForm(
                kept: kept, by: machines.isEmpty && kept == nil ? nil : .machines, order, links: links
            ) { _, kept in
                .machines(kept: kept, order: order)
            },
            sections: webhooks.isEmpty ? [section] : [section, receivers(webhooks)])
    }

    private static func receivers(_ webhooks: [WebhookStatus]) -> SheetSection {
        SheetSection(
            "Webhooks",
            CellTable(
                ["Receiver", "State", "#Waiting", "#Dead letters"],
                webhooks.map { hook in
                    [
                        Cell(style: "name machine", text: BreakableText(hook.host), detail: hook.id),
                        .whole(hook.isDisabled ? "disabled" : "active", "State"),
                        .figure(Figures.grouped(hook.waiting), "Waiting"),
                        .figure(Figures.grouped(hook.deadLetters), "Dead letters"),
                    ]
                }))
    }

    private static func summary(of machines: [DeliveringMachine], _ days: Int) -> String {
        guard !machines.isEmpty else { return "The machines that deliver runs to this server." }
        let runs = machines.reduce(0) { $0 + $1.runs }
        let waiting = machines.reduce(0) { $0 + ($1.waiting ?? 0) }
        let rest =
            waiting == 0
            ? "none waits."
            : "\(Figures.counted(waiting, "run")) \(waiting == 1 ? "waits" : "wait") there, as the machines said last."
        let names = Set(machines.filter { $0.others == nil }.map { $0.host.map { Name($0) } })
        let count = names.count + machines.reduce(0) { $0 + ($1.others ?? 0) }
        return "\(Figures.counted(count, "machine")) delivered \(Figures.counted(runs, "run")) that began in "
            + "the last \(days) days; \(rest)"
    }

    typealias MachineColumn = ListColumn<DeliveringMachine, Date>

    /// The columns of the list of machines; the date is the present.
    static let machineColumns: [MachineColumn] = [
        MachineColumn(.by(.name, "Machine"), before: { SheetPage.isFirst($0, $1) }) { machine, _ in
            Cell(
                style: "name machine",
                text: BreakableText(
                    machine.others.map { Figures.counted($0, "other machine") } ?? machine.host ?? "No name"),
                detail: "token \(machine.token)".cut(to: 300))
        },
        MachineColumn("Trust") { machine, _ in
            Cell.whole(machine.trust.map(\.word).joined(separator: ", "), "Trust")
        },
        MachineColumn(.by(.runs, "#Runs"), before: { $0.runs < $1.runs }) { machine, _ in
            Cell.figure(Figures.grouped(machine.runs), "Runs")
        },
        MachineColumn(.by(.waiting, "#Waiting"), before: { $0.waitingRank < $1.waitingRank }) { machine, _ in
            Cell.figure(machine.waiting.map(Figures.grouped) ?? "–", "Waiting")
        },
        MachineColumn(.by(.refused, "Refused"), before: { $0.refused < $1.refused }) { machine, now in
            SheetPage.refused(machine, now)
        },
        MachineColumn("Kanmon") { machine, _ in Cell.whole(machine.version ?? "–", "Kanmon") },
        MachineColumn(.by(.time, "#Last heard from"), before: { $0.moment < $1.moment }) { machine, now in
            machine.lastHeard.map { Cell.moment($0, now: now) } ?? Cell.figure("–", "Last heard from")
        },
    ]

    /// Whether a machine stands before another by its name and its token.
    static func isFirst(_ machine: DeliveringMachine, _ other: DeliveringMachine) -> Bool {
        (Name(machine.host ?? ""), Name(machine.token)) < (Name(other.host ?? ""), Name(other.token))
    }

    /// How often it was refused and why, and the last time in words.
    private static func refused(_ machine: DeliveringMachine, _ now: Date) -> Cell {
        let counts = machine.refusals.sorted { $0.key < $1.key }.map {
            "\($0.key.rawValue) \(Figures.grouped($0.value))"
        }
        let last = machine.lastRefusal.map { refusal in
            let moment = Moment(refusal.moment, now: now).words
            return "\(counts.isEmpty ? "\(refusal.code.rawValue), " : "last ")\(moment): \(refusal.reason)"
        }
        return .words(counts.isEmpty ? "–" : counts.joined(separator: ", "), "Refused", detail: last)
    }
}

extension DeliveringMachine {
    /// What is not known is least.
    fileprivate var waitingRank: Int { waiting ?? -1 }
    fileprivate var moment: Date { lastHeard ?? .distantPast }
    /// How often it was refused.
    fileprivate var refused: Int { refusals.values.reduce(0, +) }
}

extension [DeliveringMachine] {
    /// Those that deliver runs of one class of trust, or all, in the order that was requested.
    public func listed(_ trust: String?, by order: ListOrder?) -> [DeliveringMachine] {
        filter { machine in
            trust.map { trust in machine.trust.contains { Name($0.rawValue) == Name(trust) } } ?? true
        }.sorted(by: order, standing: .newestFirst)
    }
}

extension Trust {
    /// A class of trust in a word or two.
    var word: String {
        switch self {
        case .workingCopy: "working copy"
        case .laptop: "laptop"
        case .otherVersion: "another version"
        case .distrusted: "distrusted"
        case .ci: "CI"
        case .local: "this server"
        }
    }
}
