import Foundation
import RunModel
import Testing

@testable import TestRunning

@Suite struct ChildProcessTests {
    /// Runs a shell script to its end.
    private func run(
        _ script: String,
        environment: [String: String] = ["PATH": "/usr/bin:/bin"],
        limits: Supervision.Limits = .init(run: .seconds(120), grace: .milliseconds(300)),
        mergesStreams: Bool = false, waitsForOutput: Bool = false, captured: CapturedOutput = CapturedOutput()
    ) async throws -> (outcome: ChildOutcome, output: String, error: String) {
        let command = ChildCommand(
            executable: "/bin/sh", arguments: ["-c", script], environment: environment, workingDirectory: "/",
            waitsForOutput: waitsForOutput
        )
        let outcome = try await ChildProcess(command, limits: limits, mergesStreams: mergesStreams).run(captured)
        return (outcome, String(decoding: captured.output, as: UTF8.self), captured.errorText)
    }

    @Test func `a child has its arguments, environment, folder and both streams`() async throws {
        let result = try await run("echo \"$A $PWD\"; echo complaint >&2; exit 3", environment: ["A": "é"])
        #expect(result.output == "é /\n")
        #expect(result.error == "complaint\n")
        #expect(result.outcome.termination == .exited(3))
        #expect(result.outcome.cause == nil)
        #expect(result.outcome.leaked == [])
    }

    @Test func `merged streams keep their order`() async throws {
        let result = try await run("echo 1; echo 2 >&2; echo 3", mergesStreams: true)
        #expect(result.output == "1\n2\n3\n")
    }

    @Test func `a signal differs from an exit`() async throws {
        #expect(try await run("kill -9 $$").outcome.termination == .signaled(9))
    }

    @Test func `a child inherits no blocked signal, no ignored signal and no descriptor`() async throws {
        let held = open("/dev/null", O_RDONLY)
        defer { close(held) }
        let result = try await run("grep -E '^Sig(Blk|Ign)' /proc/self/status; ls /proc/$$/fd; readlink /proc/$$/fd/0")
        #expect(
            result.output == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n0\n1\n2\n/dev/null\n"
        )
    }

    @Test func `a program that is not there is an error`() async throws {
        let command = ChildCommand(
            executable: "/nonexistent/tool", arguments: [], environment: [:], workingDirectory: "/"
        )
        await #expect(throws: RunnerError.notStarted(program: "/nonexistent/tool", errno: ENOENT)) {
            try await ChildProcess(command, limits: .init(), mergesStreams: true).run(CapturedOutput())
        }
    }

    // Far below the hour that the child sleeps, far above what a busy machine costs.
    @Test(.timeLimit(.minutes(10)))
    func `a process that keeps the output open does not delay the run, and is named and ended`() async throws {
        let result = try await run("sleep 3600 & \(ShellScript.untilItSleeps); echo $!")
        #expect(result.outcome.termination == .exited(0))
        #expect(result.outcome.leaked.map(\.name) == ["sleep"])
        let pid = try #require(Int32(result.output.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(result.outcome.leaked.map(\.pid) == [pid])
        #expect(kill(pid, 0) == -1)
    }

    @Test func `a daemon in a session of its own does not escape`() async throws {
        let result = try await run("setsid sleep 60 </dev/null >/dev/null 2>&1 & \(ShellScript.untilItSleeps)")
        #expect(result.outcome.leaked.map(\.name) == ["sleep"])
        #expect(result.outcome.leaked.allSatisfy { kill($0.pid, 0) == -1 })
    }

    @Test func `what SwiftPM would wait for without end is named and ended`() async throws {
        // A program with a zombie, which reads on for as long as a process without a parent holds its pipe open.
        let result = try await run(
            #"""
            folder=$(mktemp -d) && mkfifo $folder/pipe && exec 3<>$folder/pipe 4<$folder/pipe && rm -r $folder
            (sleep 3600 >&3 &)
            exec 3>&-
            true & exec cat <&4
            """#, waitsForOutput: true)
        #expect(result.outcome.termination == .exited(0))
        #expect(result.outcome.leaked.map(\.name) == ["sleep"])
    }

    @Test func `an orphan may go on while a child runs whose output is not awaited`() async throws {
        let result = try await run(
            "((sleep 1; echo still here) &); true & exec sleep 2", limits: .init(leakWindow: .seconds(60)))
        #expect(result.output == "still here\n")
        #expect(result.outcome.leaked == [])
    }

    @Test func `a process that ends by itself in time is no leak`() async throws {
        let result = try await run("(sleep 0.05; echo late) & echo early", limits: .init(leakWindow: .seconds(20)))
        #expect(result.output == "early\nlate\n")
        #expect(result.outcome.leaked == [])
    }

    @Test func `a child that kills its reaper leaves no process behind`() async throws {
        let result = try await run(
            "setsid sleep 312 & \(ShellScript.untilItSleeps); echo $! $$; kill -9 $PPID; sleep 312")
        #expect(result.outcome.termination == .signaled(9))
        #expect(result.outcome.leaked.map(\.name).contains("sleep"))
        let numbers = result.output.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
        #expect(numbers.count == 2)
        #expect(!ProcessTable.current().entries.contains { numbers.contains($0.pid) && !$0.isZombie })
    }

    @Test func `a tree that ignores the request to end is killed`() async throws {
        let result = try await run(
            "trap '' TERM; (trap '' TERM; echo $$; while :; do sleep 1; done) & while :; do sleep 1; done",
            limits: .init(run: .seconds(4), grace: .milliseconds(200))
        )
        #expect(result.outcome.termination == .signaled(SIGKILL))
        #expect(result.outcome.cause == .overdue)
        #expect(result.outcome.wasTimedOut)
    }

    @Test func `a child that is asked to end may do so in its own way`() async throws {
        let result = try await run(
            "trap 'echo bye; exit 7' TERM; while :; do sleep 0.05; done",
            limits: .init(run: .seconds(120), silence: .seconds(3), grace: .seconds(10))
        )
        #expect(result.output == "bye\n")
        #expect(result.outcome.termination == .exited(7))
        #expect(result.outcome.cause == .silent)
    }

    @Test func `cancelling the task ends the tree`() async throws {
        let task = Task { try await run("sleep 60 & sleep 60; true") }
        try await Task.sleep(for: .milliseconds(200))
        task.cancel()
        let outcome = try await task.value.outcome
        #expect(outcome.cause == .cancelled)
        #expect(!outcome.wasTimedOut)
        #expect(outcome.termination == .signaled(SIGTERM))
    }

    // Far below the hour that the child gets to end, far above what a busy machine costs.
    @Test(.timeLimit(.minutes(10)))
    func `a tree that ignores the request to end is killed at once for who is in a hurry`() async throws {
        let stop = ImmediateStop()
        let captured = CapturedOutput()
        let task = stop.withScope {
            Task {
                try await run(
                    "trap '' TERM; echo deaf; while :; do sleep 1; done",
                    limits: .init(run: .seconds(7200), grace: .seconds(3600)), captured: captured
                )
            }
        }
        while captured.output.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        try await Task.sleep(for: .milliseconds(300))
        stop.killNow()
        let outcome = try await task.value.outcome
        #expect(outcome.cause == .cancelled)
        #expect(outcome.termination == .signaled(SIGKILL))
        // What is started from now on is not waited for either.
        let late = try await stop.withScope { Task { try await run("sleep 3600", limits: .init()) } }.value.outcome
        #expect(late.termination == .signaled(SIGKILL))
    }

    @Test func `a flood of lines arrives whole and in order, however it is read`() async throws {
        let result = try await run("seq 1 400000; sleep 0.3; seq 400001 800000; sleep 0.3; echo end")
        #expect(result.output == (1...800_000).map { "\($0)\n" }.joined() + "end\n")
    }

    @Test func `a flood of output arrives whole`() async throws {
        let result = try await run("head -c 5000000 /dev/zero | tr '\\0' x")
        #expect(result.output.utf8.count == 5_000_000)
    }

    /// Whether the system lets this user have pipes of a megabyte: what all of a user's pipes hold together is limited.
    private static var canHaveWidePipes: Bool {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        defer { for end in ends { close(end) } }
        // F_SETPIPE_SZ, which Swift does not see.
        return fcntl(ends[1], 1031, 1 << 20) == 1 << 20
    }

    @Test(.enabled(if: canHaveWidePipes))
    func `both pipes accept a megabyte before anything is read`() async throws {
        let write = "dd if=/dev/zero bs=1048576 count=1 iflag=fullblock oflag=nonblock status=none"
        let result = try await run("\(write) of=/dev/stdout && \(write) of=/dev/stderr")
        #expect(result.outcome.termination == .exited(0))
        #expect(result.output.utf8.count == 1 << 20)
        #expect(result.error.utf8.count == 1 << 20)
    }
}
