import Testing

/// Arguments that cannot be, or that contradict each other.
@Suite struct RefusedArgumentsTests {
    private let program: Program

    init() throws { program = Program(folder: try TestFolder()) }

    @Test(arguments: [
        ("cache prune --size=-1", "--size is between 0 and 1000000 GiB"),
        ("demo --port 65536", "--port is between 0 and 65535"),
        ("explain latest Core --owners", "--owner, --owners and --owned-by explain no module: leave it out"),
        ("explain --owners --owner A.swift", "--owners is about everybody: leave out --owner"),
        ("explain --owned-by @a --owners", "--owned-by is about one owner: leave out --owner and --owners"),
        ("gate --policy p.yml --since soon", "'soon' is not a period such as 30d or 12h"),
        ("objects sweep --grace-days 0 folder:///o", "--grace-days is at least 1"),
        ("objects sweep --grace-days 2 --keep-days 1 folder:///o", "--keep-days is at least --grace-days, here 2"),
        ("project rename a b\u{7}", "a name is 1 to 1024 bytes without control characters"),
        ("report --format markdown --limit 1999", "--limit is at least 2000"),
        ("run --branch main --affected", "--affected compares exact trees: add --staged or --commit"),
        ("run --map --engine swift-test", "--map needs the engine direct: leave out --map or --engine swift-test"),
        ("run --retries 11", "--retries takes a number from 0 to 10"),
        ("run --shard 1/2 --durations d.json", "--durations needs --shard-by durations"),
        (
            "run --skip-build --staged",
            "--skip-build tests the files in this folder: leave out --commit and --staged"
        ),
        ("serve --answer-memory 0", "--answer-memory is between 1 and 65536 MiB"),
        ("serve --base-url nowhere", "--base-url takes an address such as https://ci.example/kanmon/"),
        ("serve --daily-quota 0", "--daily-quota is between 1 and 1048576 GiB"),
        ("serve --fetch-cache 0", "--fetch-cache is between 1 and 1048576 GiB"),
        (
            "serve --trusted-proxy everybody",
            "--trusted-proxy takes an IP address such as 127.0.0.1, or 'unix'; --user-header the name of a header"
        ),
        ("serve --user-header X-User", "--user-header needs --trusted-proxy: anybody could send that header"),
        ("stress A.B/c --runs 0", "--runs takes a number from 1 to 100000"),
    ])
    func `arguments that cannot be are refused with what to do instead`(line: String, message: String) async throws {
        let refused = try await program.run(line.split(separator: " ").map(String.init))
        #expect(refused.status == 64 && refused.output.isEmpty)
        #expect(refused.messages.hasPrefix("Error: \(message)\n"), "\(refused.messages)")
    }
}
