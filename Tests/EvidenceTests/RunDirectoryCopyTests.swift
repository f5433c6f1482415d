import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence
@testable import TestResults

/// What comes along when a run directory that somebody else wrote is copied, and what does not.
@Suite struct RunDirectoryCopyTests {
    private let folder: TemporaryFolder
    private let given: RunDirectory

    init() throws {
        folder = try TemporaryFolder()
        given = try RecordedRun(artifacts: [(.transcript, Array("text\n".utf8)), (.buildLog, [1, 2])]).write(in: folder)
    }

    private func copy() throws -> RunDirectory {
        let read = RunDirectory(path: given.path)
        return try read.copy(try read.manifest(), to: "\(folder.path)/own/run", replacing: false)
    }

    /// Type, rights, links and owner of a file; `nil` where there is none.
    private func status(_ path: String) -> stat? {
        var found = stat()
        return lstat(path, &found) == 0 ? found : nil
    }

    @Test func `what the manifest names comes along, and nothing else`() throws {
        let source = "\(given.path)/sources"
        try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: true)
        try Data("stray".utf8).write(to: URL(filePath: "\(given.path)/stray"))
        try Data("stray".utf8).write(to: URL(filePath: "\(source)/stray"))
        #expect(mkfifo("\(given.path)/pipe", 0o666) == 0)
        let copied = try copy()
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: copied.path).sorted()
                == ["0-transcript", "1-build-log", "manifest.json"])
        #expect(try copied.isWhole())
        #expect(try copied.manifest() == given.manifest())
        #expect(
            try Data(contentsOf: URL(filePath: "\(copied.path)/manifest.json"))
                == Data(contentsOf: URL(filePath: "\(given.path)/manifest.json")))
    }

    enum Oddity: CaseIterable {
        case setUserID, everybodys, link, linkToFolder, pipe, socket, hardLink, folder
    }

    @Test(arguments: Oddity.allCases)
    func `the copy is a separate regular file or none, whatever is at the path`(oddity: Oddity) throws {
        let file = "\(given.path)/0-transcript"
        let elsewhere = "\(folder.path)/elsewhere"
        try Data("text\n".utf8).write(to: URL(filePath: elsewhere))
        if ![.setUserID, .everybodys].contains(oddity) { #expect(unlink(file) == 0) }
        switch oddity {
        case .setUserID: #expect(chmod(file, 0o4755) == 0)
        case .everybodys: #expect(chmod(file, 0o666) == 0)
        case .link: #expect(symlink(elsewhere, file) == 0)
        case .linkToFolder: #expect(symlink(folder.path, file) == 0)
        case .pipe: #expect(mkfifo(file, 0o666) == 0)
        case .hardLink: #expect(link(elsewhere, file) == 0)
        case .folder: #expect(mkdir(file, 0o777) == 0)
        case .socket:
            // An address has no room for a long path.
            let short = "/tmp/kanmon-\(getpid())-\(UInt32.random(in: 0 ... .max))"
            try makeSocket(short)
            #expect(rename(short, file) == 0 || errno == EXDEV)
            unlink(short)
        }
        let copied = try copy()
        let isKept = [.setUserID, .everybodys, .hardLink].contains(oddity)
        let found = status("\(copied.path)/0-transcript")
        #expect((found != nil) == isKept)
        if let found {
            #expect(found.st_mode == S_IFREG | 0o600)
            #expect(found.st_nlink == 1)
            #expect(found.st_uid == geteuid())
        }
        #expect(try copied.isWhole() == isKept)
        #expect(try TestRun.read(from: copied).gaps.contains { $0.code == .artifactDamaged } == !isKept)
    }

    @Test(.enabled(if: geteuid() == 0, "only root makes devices and gives files away"))
    func `a device stays where it is, and a file of another user becomes one's own`() throws {
        let (device, foreign) = ("\(given.path)/0-transcript", "\(given.path)/1-build-log")
        #expect(unlink(device) == 0)
        // 1, 5 is /dev/zero, which has no end.
        #expect(mknod(device, S_IFCHR | 0o666, 1 << 8 | 5) == 0)
        #expect(chown(foreign, 1234, 1234) == 0 && chmod(foreign, 0o6777) == 0)
        let copied = try copy()
        #expect(status("\(copied.path)/0-transcript") == nil)
        let found = try #require(status("\(copied.path)/1-build-log"))
        #expect(found.st_uid == 0 && found.st_gid == getegid() && found.st_mode == S_IFREG | 0o600)
    }

    @Test func `what lies behind a linked folder stays there`() throws {
        let writer = try RunDirectory.Writer(creating: "\(folder.path)/deep")
        let artifact = try writer.write([7], as: .transcript, to: "logs/t")
        let deep = try writer.finish(RecordedRun().manifest([artifact]))
        try FileManager.default.moveItem(atPath: "\(deep.path)/logs", toPath: "\(folder.path)/logs")
        #expect(symlink("../logs", "\(deep.path)/logs") == 0)
        let copied = try deep.copy(try deep.manifest(), to: "\(folder.path)/own/deep", replacing: false)
        #expect(try FileManager.default.contentsOfDirectory(atPath: copied.path) == ["manifest.json"])
    }

    @Test func `a file that is too long stays damaged, and is not taken whole`() throws {
        let file = "\(given.path)/0-transcript"
        #expect(truncate(file, 100 << 20) == 0)
        let copied = try copy()
        #expect(status("\(copied.path)/0-transcript")?.st_size == 6)
        #expect(try !copied.isWhole())
    }

    @Test func `a manifest that changed since it was checked is refused, and leaves nothing`() throws {
        let read = RunDirectory(path: given.path)
        var manifest = try read.manifest()
        manifest.project = "another"
        #expect(throws: EvidenceError.self) {
            try read.copy(manifest, to: "\(folder.path)/own/run", replacing: false)
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/own/run"))
    }

    private func makeSocket(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        #expect(bound == 0)
    }
}
