import Testing

@testable import Gate

@Suite struct FolderSetTests {
    @Test func `a path is in a folder if the folder's path begins it, byte by byte`() {
        let folders = ["Sub/", "a/b/", "a//c/", "/abs/", "\u{30AC}/", ""].filter { $0.hasSuffix("/") }
        let paths = [
            "Sub", "Sub/", "Sub/C.swift", "Submarine.swift", "Sub/D/E.swift", "a/C.swift", "a/b", "a/b/C.swift",
            "a/bc/D.swift",
            "a//c/D.swift", "a/c/D.swift", "abs/C.swift", "/abs/C.swift", "/C.swift", "\u{30AC}/C.swift",
            "\u{30AB}\u{3099}/C.swift",
            "", "/",
        ]
        let set = FolderSet(folders)
        for path in paths {
            let isInside = folders.contains { path.utf8.starts(with: $0.utf8) }
            #expect(set.holds(path) == isInside, "\(path)")
        }
        #expect(!FolderSet([String]()).holds("A.swift"))
        #expect(FolderSet(["/"]).holds("/A.swift"))
    }
}
