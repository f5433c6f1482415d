import Access
import Foundation
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// The machines that deliver runs of projects that exist for the reader. What they said or were refused without naming a
    /// project is for those who see everything.
    func machines() throws -> [DeliveringMachine] {
        let days = MachineLedger.days
        let since = now().addingTimeInterval(-Double(days) * 86_400)
        let runs = try store.deliveredRuns(since: since, in: scope())
        var records: [MachineRecord] = []
        var names: [Name: String] = [:]
        for var record in ledger.records {
            if let project = record.project {
                // It may have had another name when the machine called.
                let name = try names[Name(project)] ?? deliveries?.currentName(of: project) ?? project
                names[Name(project)] = name
                record.project = name
            }
            guard record.project.map({ reader.sees($0) }) ?? reader.seesEverything else { continue }
            // A machine counts what waits there for all projects.
            if !reader.seesEverything { record.waiting = nil }
            records.append(record)
        }
        return DeliveringMachine.all(runs, records, since: MachineRecord.day(of: since))
    }

    /// The receivers of webhooks, for those who see everything.
    func webhookStatuses() throws -> [WebhookStatus] {
        guard reader.seesEverything, let webhooks else { return [] }
        return try webhooks.statuses()
    }
}
