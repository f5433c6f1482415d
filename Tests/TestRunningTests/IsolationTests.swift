import Foundation
import RunModel
import Testing

@testable import TestRunning

@Suite struct IsolationTests {
    private static let support = IsolationSupport.probe()

    private func run(
        _ script: String, _ isolation: Isolation,
        limits: Supervision.Limits = .init(run: .seconds(120), grace: .milliseconds(300))
    ) async throws -> (outcome: ChildOutcome, output: String) {
        let command = ChildCommand(
            executable: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"],
            workingDirectory: "/"
        )
        let captured = CapturedOutput()
        let process = ChildProcess(
            command, limits: limits, mergesStreams: true,
            isolation: try Self.support.isolation(by: .exactly(isolation)))
        let outcome = try await process.run(captured)
        return (outcome, String(decoding: captured.output, as: UTF8.self))
    }

    private static let hasNamespaces = support.refusal(of: .pidNamespace) == nil
    private static let hasCgroups = support.refusal(of: .cgroup) == nil

    @Test(.enabled(if: hasNamespaces)) func `a child in a namespace sees nobody outside`() async throws {
        let script = "echo $$; readlink /proc/self; cat /proc/1/comm; id -u; ls /proc/$$/fd"
        let result = try await run(script, .pidNamespace)
        #expect(result.output == "2\n3\nkanmon-reaper\n\(getuid())\n0\n1\n2\n")
        #expect(result.outcome.termination == .exited(0))
        #expect(result.outcome.leaked == [])
    }

    @Test(.enabled(if: hasNamespaces)) func `nobody in a namespace can kill its reaper`() async throws {
        let result = try await run("setsid sleep 313 & kill -9 $PPID; kill -9 -1; echo lives; exit 3", .pidNamespace)
        #expect(result.output == "lives\n")
        #expect(result.outcome.termination == .exited(3))
        #expect(result.outcome.leaked == [])
    }

    @Test(.enabled(if: hasNamespaces))
    func `what is left in a namespace is named by its number outside`() async throws {
        let result = try await run(
            "setsid sleep 314 </dev/null >/dev/null 2>&1 & \(ShellScript.untilItSleeps)", .pidNamespace)
        #expect(result.outcome.leaked.map(\.name) == ["sleep"])
        #expect(result.outcome.leaked.allSatisfy { $0.pid > 3 && kill($0.pid, 0) == -1 })
    }

    @Test(.enabled(if: hasNamespaces)) func `a namespace that ignores the request to end is ended`() async throws {
        let result = try await run(
            "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & while :; do sleep 1; done", .pidNamespace,
            limits: .init(run: .seconds(4), grace: .milliseconds(200)))
        #expect(result.outcome.termination == .signaled(SIGKILL))
        #expect(result.outcome.cause == .overdue)
    }

    @Test(.enabled(if: hasCgroups))
    func `a child in a cgroup that kills its reaper leaves no process behind`() async throws {
        let result = try await run(
            """
            grep ^0:: /proc/self/cgroup
            setsid sleep 315 & \(ShellScript.untilItSleeps)
            echo $! $$; kill -9 $PPID; sleep 315
            """, .cgroup)
        #expect(result.outcome.termination == .signaled(9))
        let lines = result.output.split(separator: "\n").map(String.init)
        let cgroup = try #require(lines.first?.split(separator: "/").last.map(String.init))
        #expect(cgroup.hasPrefix("kanmon-"))
        let numbers = lines.dropFirst().flatMap { $0.split(separator: " ") }.compactMap { Int32($0) }
        #expect(numbers.count == 2)
        #expect(!ProcessTable.current().entries.contains { numbers.contains($0.pid) && !$0.isZombie })
        let parent = try #require(Self.support.cgroupParent)
        #expect(!FileManager.default.fileExists(atPath: "\(parent)/\(cgroup)"))
    }

    @Test func `a machine that allows nothing has the reaper, and refuses what is demanded`() throws {
        let nothing = IsolationSupport(
            namespaceRefusal: "Operation not permitted", cgroupRefusal: "no cgroups of version 2 are mounted")
        #expect(try nothing.isolation(by: .best) == .reaper)
        #expect(
            nothing.shortfall == [
                Note(.isolationMissing, subject: "cgroup", detail: "no cgroups of version 2 are mounted"),
                Note(.isolationMissing, subject: "pid-namespace", detail: "Operation not permitted"),
            ])
        #expect(throws: RunnerError.isolationRefused(.pidNamespace, reason: "Operation not permitted")) {
            try nothing.isolation(by: .exactly(.pidNamespace))
        }
        #expect(throws: RunnerError.isolationRefused(.cgroup, reason: "no cgroups of version 2 are mounted")) {
            try nothing.isolation(by: .exactly(.cgroup))
        }
    }

    @Test func `the best is a cgroup, then a namespace`() throws {
        var support = IsolationSupport(cgroupParent: "/sys/fs/cgroup/ci")
        #expect(try support.isolation(by: .best) == .cgroup(parent: "/sys/fs/cgroup/ci"))
        #expect(support.shortfall == [])
        support.cgroupParent = nil
        #expect(try support.isolation(by: .best) == .pidNamespace)
        #expect(support.shortfall == [])
        #expect(try support.isolation(by: .exactly(.reaper)) == .reaper)
    }

    @Test(arguments: [
        ("0::/", "/", "/sys/fs/cgroup", "/sys/fs/cgroup"),
        ("0::/user.slice/ci.service", "/", "/sys/fs/cgroup", "/sys/fs/cgroup/user.slice/ci.service"),
        ("2:cpu:/a\n0::/b", "/", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/unified/b"),
        ("0::/docker/1/x", "/docker/1", "/sys/fs/cgroup", "/sys/fs/cgroup/x"),
    ])
    func `the own cgroup is found below its mount`(
        membership: String, root: String, mount: String, expected: String
    ) {
        let mounts = """
            24 1 0:22 / /proc rw,relatime shared:5 - proc proc rw
            30 23 0:26 \(root) \(mount) rw,nosuid shared:9 - cgroup2 cgroup2 rw

            """
        #expect(CgroupFolder.own(mounts: mounts, memberships: membership + "\n") == expected)
    }

    @Test(arguments: ["4:memory:/x\n", "0::/elsewhere\n"])
    func `without a mount of version 2 around it there is no own cgroup`(membership: String) {
        let mounts = """
            30 23 0:26 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup2 rw
            31 23 0:27 / /m rw - cgroup cgroup rw

            """
        #expect(CgroupFolder.own(mounts: mounts, memberships: membership) == nil)
    }
}
