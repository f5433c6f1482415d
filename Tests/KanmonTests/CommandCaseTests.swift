import Testing

@Suite struct CommandCaseTests {
    @Test(arguments: CommandCase.all.filter { !$0.isSlow })
    func `a command does what is written down`(example: CommandCase) async throws { try await example.check() }
}
