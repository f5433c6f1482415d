import Foundation
import Testing

@testable import Application

@Suite struct StandardStreamsTests {
    @Test func `a reader that is slow gets all of it`() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        // Other tests start processes, which would hold it open.
        for end in ends { #expect(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
        #expect(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
        // A pipe takes a sixteenth of it at a time.
        let text = String(repeating: "0123456789abcdef", count: 1 << 16)
        Thread.detachNewThread {
            StandardStreams.write(text, to: writer)
            close(writer)
        }
        usleep(50_000)
        let received = try FileHandle(fileDescriptor: reader, closeOnDealloc: true).readToEnd()
        #expect(received == Data(text.utf8))
    }

    @Test func `truncated output is reported`() {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        #expect(StandardStreams.write("a", to: full) == ENOSPC)
        #expect(StandardStreams.write("a", to: -1) == EBADF)
        #expect(StandardStreams.write("", to: full) == nil)
    }

    @Test(arguments: [("Mixed", 0), ("Failing", 1)])
    func `a result that cannot be written is an error, a closed pipe is not`(
        name: String, status: Int
    ) async throws {
        var program = Program(folder: try TestFolder())
        program.wrapper = ["sh", "-c", "exec \"$@\" >/dev/full", "sh"]
        let run = "\(TestFolder.runs)/\(name)"
        let full = try await program.run(["ingest", run])
        #expect(full.status == 74)
        #expect(full.messages == "kanmon: failed to write to standard output: No space left on device\n")

        // The program waits until the reader has gone: a pipe without one is closed.
        program.wrapper = ["sh", "-c", "{ sleep 0.2; \"$@\"; echo \"status $?\" >&2; } | true", "sh"]
        let unread = try await program.run(["ingest", run]).messages
        #expect(unread.hasSuffix(" is already known\nstatus \(status)\n"))
    }
}
