import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import Repository
import RunModel
import SettingsFile

/// A change of the settings file of a package by a command, and how it is committed.
struct SettingsEdit {
    /// What a hook has to find in the message of a commit before the one that weakens the gate.
    struct Waiver {
        /// The code of a gate change, or what it is about.
        let subject: String
        let until: CalendarDay
        let reason: String
    }

    let context: PackageContext
    private let path: String
    /// What is in the file; `nil` where there is none.
    private let old: String?
    private let isHere: Bool

    /// Reads the settings of the package in a folder.
    init(_ package: String, _ process: ProcessContext) async throws {
        context = try await PackageContext.load(package, process: process)
        old = try SettingsLoader(process: process).text(packageRoot: context.root)
        path = process.real("\(context.root)/\(SettingsLoader.fileName)")
        isHere = context.root == process.real(".")
    }

    /// What the file says now.
    var policy: Policy { context.settings.policy }

    /// The settings after an edit of the text.
    ///
    /// - Throws: `Problem` if they do not come to `expected`: then nothing may be written.
    func edited(to expected: Policy, _ edit: (inout SettingsText) throws -> Void) throws -> (Settings, text: String) {
        var text = SettingsText(old ?? "version: 1\n", file: SettingsLoader.fileName)
        try edit(&text)
        guard let settings = try? Settings.read(text: text.text, file: SettingsLoader.fileName),
            settings.policy == expected
        else {
            throw Problem(
                .badConfiguration, "cannot write to \(SettingsLoader.fileName) as it is written there",
                hint: "edit it by hand")
        }
        return (settings, text.text)
    }

    /// Writes the file.
    func write(_ text: String) throws {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Problem(.ioError, "failed to write \(path): \(error.fileSystemReason)")
        }
    }

    /// What to commit, as commands for a shell.
    func commits(_ title: String, _ waiver: Waiver?) -> String {
        let git = isHere ? "git" : "git -C \(ShellWord.quoted(context.root))"
        let title = ShellWord.quoted(title)
        let added = old == nil ? "  \(git) add -- \(SettingsLoader.fileName)\n" : ""
        let committed = "\(added)  \(git) commit -m \(title) -- \(SettingsLoader.fileName)"
        guard let waiver else { return TerminalText.safeLines("Commit it:\n\(committed)").joined(separator: "\n") }
        // A trailer is of one line.
        let reason = waiver.reason.split(whereSeparator: \.isNewline).joined(separator: " ")
        let words = ShellWord.quoted("Kanmon-Waiver: \(waiver.subject) until=\(waiver.until) \(reason)")
        return TerminalText.safeLines(
            """
            It is a change of the gate. Commit the waiver first, since a hook does not know the message of its own commit:
              \(git) commit --allow-empty -m \(title) -m \(words)
            \(committed)
            """
        ).joined(separator: "\n")
    }

    /// Warns of an exclude that matches no file yet.
    static func tell(_ doubt: SettingsError) {
        StandardStreams.tell("kanmon: warning: \(TerminalText.safe("\(doubt)")) yet; a run that finds none is refused")
        if let hint = doubt.hint { StandardStreams.tell("Try: \(TerminalText.safe(hint))") }
    }

    /// The day that `--until` means: a day in UTC, or a number of days from now.
    static func day(_ text: String, today: CalendarDay) throws -> CalendarDay {
        let days = text.hasSuffix("d") ? Int(text.dropLast()) : nil
        guard let day = CalendarDay(text) ?? days.flatMap({ (0...10_000).contains($0) ? today.adding(days: $0) : nil })
        else { throw ValidationError("--until is a day such as 2026-12-01, or a number of days such as 14d") }
        guard day >= today, day <= today.adding(days: Gate.Waiver.longest) else {
            throw ValidationError(
                "--until \(day) is not between today, \(today), and \(today.adding(days: Gate.Waiver.longest)), "
                    + "the last day that a waiver can have")
        }
        return day
    }
}
