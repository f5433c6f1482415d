import Evidence
import Foundation
import RunModel
import TestSupport
import Testing

@Suite struct ProgressFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ number: Int, in folder: String) -> LiveRun {
        LiveRun(
            runID: SampleRuns.id(number), project: "p", revision: nil, startedAt: SampleRuns.moment, folder: folder,
            isPartial: false)
    }

    private func writer(_ number: Int) throws -> RunDirectory.Writer {
        try RunDirectory.Writer(creating: "\(folder.path)/runs/\(SampleRuns.id(number))")
    }

    private func progressFiles(later seconds: TimeInterval = 0) -> ProgressFiles {
        ProgressFiles(path: "\(folder.path)/running") { Date().addingTimeInterval(seconds) }
    }

    private func status(_ number: Int, later seconds: TimeInterval = 0) -> LiveEntry.LiveStatus? {
        progressFiles(later: seconds).find(SampleRuns.id(number))?.status
    }

    @Test func `a run is in progress as long as its process locks its folder, whatever its state file says`() throws {
        let writer = try writer(1)
        #expect(progressFiles().running() == [])
        let progressFile = try ProgressFile(run(1, in: writer.path), in: progressFiles())
        #expect(status(1) == .running)
        #expect(progressFiles().running() == [LiveEntry(run(1, in: writer.path), .running)])
        progressFile.end()
        #expect(status(1) == .gone)
        #expect(progressFiles().running() == [])
        progressFiles().remove(SampleRuns.id(1))
        #expect(status(1) == nil)
    }

    @Test func `runs that are not wanted, or have ended, take the place of none that is`() throws {
        let (wanted, hidden) = (try writer(1), try writer(2))
        let own = try ProgressFile(run(1, in: wanted.path), in: progressFiles())
        var secret = run(2, in: hidden.path)
        secret.project = "hidden"
        let other = try ProgressFile(secret, in: progressFiles())
        #expect(progressFiles().running(most: 1).map(\.run.project) == ["hidden"])
        #expect(progressFiles().running(most: 1) { $0.project == "p" }.map(\.run.runID) == [SampleRuns.id(1)])
        other.end()
        // Of so many later ones only the files are left.
        for number in 3...ProgressFiles.most + 3 {
            let gone = try run(number, in: "\(folder.path)/gone").encoded()
            try Data(gone).write(to: URL(filePath: "\(folder.path)/running/\(SampleRuns.id(number)).json"))
        }
        #expect(progressFiles().running().map(\.run.runID) == [SampleRuns.id(1)])
        own.end()
    }

    @Test func `a run whose folder is complete is being judged, and not for ever`() throws {
        let writer = try writer(1)
        let progressFile = try ProgressFile(run(1, in: writer.path), in: progressFiles())
        try FileManager.default.moveItem(atPath: writer.path, toPath: writer.finalPath)
        progressFile.end()
        #expect(status(1) == .judging)
        #expect(status(1, later: 70) == .gone)
        #expect(progressFiles().running() == [])
    }

    @Test func `a change is seen when it is written, and an incomplete state file is ignored`() throws {
        let writer = try writer(1)
        let progressFile = try ProgressFile(run(1, in: writer.path), in: progressFiles())
        progressFile.update { $0.ended = 7 }
        #expect(progressFiles().running().map(\.run.progress.ended) == [0])
        progressFile.write()
        #expect(progressFiles().running().map(\.run.progress.ended) == [7])
        let file = "\(folder.path)/running/\(SampleRuns.id(1)).json"
        try Data("{\"runID\": ".utf8).write(to: URL(filePath: file))
        #expect(status(1) == nil)
        progressFile.update { $0.ended = 8 }
        progressFile.write()
        #expect(progressFiles().running().map(\.run.progress.ended) == [8])
    }

    @Test func `a progress file under the name of another run is none`() throws {
        let writer = try writer(1)
        let progressFile = try ProgressFile(run(1, in: writer.path), in: progressFiles())
        let files = "\(folder.path)/running"
        try FileManager.default.copyItem(
            atPath: "\(files)/\(SampleRuns.id(1)).json", toPath: "\(files)/\(SampleRuns.id(2)).json")
        #expect(status(2) == nil)
        progressFile.end()
    }

    @Test func `a folder that another run has locked is not used`() throws {
        let writer = try writer(1)
        let progressFile = try ProgressFile(run(1, in: writer.path), in: progressFiles())
        #expect(throws: EvidenceError.self) { try ProgressFile(run(2, in: writer.path), in: progressFiles()) }
        progressFile.end()
    }

    @Test func `the next run removes what a run that was killed left behind a day ago, and nothing that lives`() throws
    {
        let dead = try writer(1)
        try ProgressFile(run(1, in: dead.path), in: progressFiles()).end()
        let living = try writer(2)
        let progressFile = try ProgressFile(run(2, in: living.path), in: progressFiles())
        let next = try writer(3)
        _ = try ProgressFile(run(3, in: next.path), in: progressFiles(later: 80_000))
        #expect(status(1) == .gone)
        let later = try writer(4)
        _ = try ProgressFile(run(4, in: later.path), in: progressFiles(later: 90_000))
        #expect(status(1) == nil)
        #expect(status(2) == .running)
        progressFile.end()
    }
}

@Suite struct LogTailTests {
    private let file = FileManager.default.temporaryDirectory.appending(path: "kanmon-log-\(UUID())").path()

    private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: file)) }

    private func add(_ text: String) throws {
        let handle = try #require(FileHandle(forWritingAtPath: file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    private func piece(_ lines: [String], isRestart: Bool = false, skipped: Int = 0) -> LogTail.Piece {
        var piece = LogTail.Piece()
        piece.lines = lines.map { Array($0.utf8) }
        piece.isRestart = isRestart
        piece.skipped = skipped
        return piece
    }

    @Test func `a log is read line by line as it grows, and an incomplete line waits for its end`() throws {
        defer { unlink(file) }
        var tail = LogTail()
        #expect(tail.read(nil) == piece([]))
        #expect(tail.read(file) == piece([]))
        try write("a\nb\nc")
        #expect(tail.read(file) == piece(["a", "b"], isRestart: true))
        #expect(tail.read(file) == piece([]))
        try add("d\n\n")
        #expect(tail.read(file) == piece(["cd", ""]))
    }

    @Test func `a log that was truncated or replaced is read again`() throws {
        defer { unlink(file) }
        var tail = LogTail()
        try write("a\nb\n")
        #expect(tail.read(file) == piece(["a", "b"], isRestart: true))
        try write("c\n")
        #expect(tail.read(file) == piece(["c"], isRestart: true))
        let other = file + "2"
        defer { unlink(other) }
        try Data("x\n".utf8).write(to: URL(filePath: other))
        #expect(tail.read(other) == piece(["x"], isRestart: true))
    }

    @Test func `of much only the end is read, from the beginning of a line`() throws {
        defer { unlink(file) }
        var tail = LogTail()
        let line = String(repeating: "x", count: 99) + "\n"
        let lines = LogTail.most / 100
        let left = LogTail.most - lines * 100
        try write(String(repeating: line, count: 10_000))
        let first = tail.read(file)
        #expect(first.lines.count == lines)
        #expect(first.skipped == 1_000_000 - lines * 100)
        #expect(left > 0)
        try add(String(repeating: line, count: 5_000))
        let second = tail.read(file)
        #expect(
            second == piece(Array(repeating: String(line.dropLast()), count: lines), skipped: 500_000 - lines * 100))
    }

    @Test func `a line without an end does not block what follows`() throws {
        defer { unlink(file) }
        var tail = LogTail()
        try write(String(repeating: "y", count: 10_000))
        #expect(tail.read(file).lines.map(\.count) == [4096])
        try add("\nz\n")
        #expect(tail.read(file) == piece(["", "z"]))
    }

    @Test func `what is no file is nothing`() {
        var tail = LogTail()
        #expect(tail.read("/dev/zero") == piece([]))
        #expect(tail.read("/tmp") == piece([]))
    }
}
