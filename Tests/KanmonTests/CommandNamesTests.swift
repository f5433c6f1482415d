import ArgumentParser
import Foundation
import Testing

@testable import kanmon

@Suite struct CommandNamesTests {
    @Test func `every command says its name, which the parser would otherwise look for in its type at every start`() {
        var waiting: [any ParsableCommand.Type] = [Kanmon.self]
        var nameless: [String] = []
        while let command = waiting.popLast() {
            if command.configuration.commandName == nil { nameless.append("\(command)") }
            waiting += command.configuration.subcommands
        }
        #expect(nameless == [])
    }

    @Test func `the table of commands in the README has every command that is shown`() throws {
        let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")
        let lines = try String(contentsOf: readme, encoding: .utf8).split(separator: "\n")
        let table = lines.drop { $0 != "## Commands" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        let cells = table.filter { $0.hasPrefix("| `") }.compactMap { $0.split(separator: "|").first }
        let told = Set(cells.flatMap { $0.split { !$0.isLetter } }.map(String.init))
        let shown = Kanmon.configuration.subcommands.map { $0.configuration }.filter(\.shouldDisplay)
        #expect(shown.compactMap(\.commandName).filter { !told.contains($0) } == [])
    }
}
