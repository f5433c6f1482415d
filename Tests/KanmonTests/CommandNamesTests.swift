import ArgumentParser
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
}
