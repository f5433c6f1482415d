import Foundation
import TestSupport
import Testing

@testable import TestRunning

@Suite struct FolderListingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["b/two", "b/c/three", "one", ".hidden/four", "b/.five", "skipped/six"] {
            _ = try folder.write(name, to: "listed/\(name)")
        }
    }

    private func listing(stamped: Bool = false) -> FolderListing? {
        FolderListing("\(folder.path)/listed", stamped: stamped) { $0.elementsEqual("skipped".utf8) }
    }

    private func paths(_ listing: FolderListing?) -> [String]? {
        listing?.files.map { String(decoding: $0.path, as: UTF8.self) }
    }

    @Test func `files and folders are listed in order, without what is skipped`() {
        #expect(paths(listing()) == [".hidden/four", "b/.five", "b/c/three", "b/two", "one"])
        #expect(listing()?.folders.map { String(decoding: $0, as: UTF8.self) } == [".hidden", "b", "b/c"])
        #expect(listing()?.files.allSatisfy { $0.stamp == nil && $0.target == nil } == true)
        #expect(listing(stamped: true)?.files.map(\.stamp?.size) == [12, 7, 9, 5, 3])
    }

    @Test func `of a package hidden things are no names, nor is what tests drop there`() throws {
        _ = try folder.write("", to: "listed/default.profraw")
        let names = FolderListing.names(inPackage: "\(folder.path)/listed")
        #expect(paths(names) == ["b/c/three", "b/two", "one", "skipped/six"])
    }

    @Test func `an empty folder is part of it`() throws {
        let before = try #require(listing())
        mkdir("\(folder.path)/listed/empty", 0o755)
        #expect(listing() != before)
    }

    @Test func `a file that was written again is another, also with its date put back`() throws {
        let path = "\(folder.path)/listed/one"
        let (names, stamps) = (listing(), listing(stamped: true))
        var info = stat()
        try #require(stat(path, &info) == 0)
        // Longer than the clock of any file system of this machine stands still.
        usleep(20_000)
        _ = try folder.write("two", to: "listed/one")
        var times = [info.st_atim, info.st_mtim]
        #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
        #expect(listing() == names)
        #expect(listing(stamped: true) != stamps)
        #expect(FileStamp(path)?.modified == FileStamp(info).modified)
    }

    @Test func `a link to a file counts with where it leads and what is there`() throws {
        let target = try folder.write("far", to: "elsewhere")
        symlink(target, "\(folder.path)/listed/link")
        let link = try #require(listing(stamped: true)?.files.first { $0.path.elementsEqual("link".utf8) })
        #expect(link.target.map { String(decoding: $0, as: UTF8.self) } == target)
        #expect(link.stamp == FileStamp(target))
        unlink(target)
        let dangling = try #require(listing(stamped: true)?.files.first { $0.path.elementsEqual("link".utf8) })
        #expect(dangling.stamp == nil)
        #expect(dangling.target == link.target)
    }

    @Test func `a link to a folder is listed where what it leads to is listed as well`() throws {
        let link = "\(folder.path)/listed/b/link"
        for target in ["c", "../b/c", "..", "\(folder.path)/listed/.hidden"] {
            symlink(target, link)
            let file = try #require(listing(stamped: true)?.files.first { $0.path.elementsEqual("b/link".utf8) })
            let words = file.target?.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            #expect(words == [target, try #require(realPath(link))])
            #expect(file.stamp == nil)
            unlink(link)
        }
        _ = try folder.write("", to: "elsewhere/seven")
        for target in ["../../elsewhere", "../skipped", folder.path] {
            symlink(target, link)
            #expect(listing() == nil, "\(target)")
            unlink(link)
        }
    }

    @Test func `a pipe is a name`() throws {
        mkfifo("\(folder.path)/listed/pipe", 0o600)
        let pipe = try #require(listing(stamped: true)?.files.last)
        #expect(pipe.path.elementsEqual("pipe".utf8))
        #expect(pipe.stamp == nil)
    }

    @Test func `what cannot be listed as a whole is not listed at all`() throws {
        #expect(FolderListing("\(folder.path)/none") == nil)
        #expect(FolderListing("\(folder.path)/listed/one") == nil)
        // A name that is no text.
        let name = (Array("\(folder.path)/listed/".utf8) + [0xFF, 0]).map { CChar(bitPattern: $0) }
        close(try systemCall("make", "a file") { creat(name, 0o600) })
        #expect(listing() == nil)
    }
}
