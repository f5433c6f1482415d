import Testing

@testable import TestRunning

@Suite struct DependencyFileTests {
    private func paths(_ text: String) -> [String]? {
        DependencyFile.paths(in: Array(text.utf8))?.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a rule of clang goes over several lines`() {
        let text = "dependencies: \\\n  /p/Sources/C/shim.c \\\n  /usr/include/stdio.h /usr/include/x86_64/a.h\n"
        #expect(paths(text) == ["/p/Sources/C/shim.c", "/usr/include/stdio.h", "/usr/include/x86_64/a.h"])
    }

    @Test func `a file of the Swift compiler has a rule for each thing that it makes`() {
        let text = "/b/A.swift.o : /p/A.swift /p/B.swift\n/b/A.swiftmodule : /p/A.swift\n"
        #expect(paths(text) == ["/b/A.swift.o", "/p/A.swift", "/p/B.swift", "/b/A.swiftmodule", "/p/A.swift"])
    }

    @Test(arguments: [
        ("/p/with\\ blank.h", "/p/with blank.h"), ("/p/a\\#b.h", "/p/a#b.h"), ("/p/a$$b.h", "/p/a$b.h"),
        ("/p/a$$$$b.h", "/p/a$$b.h"), ("/p/a\\:b.h", "/p/a:b.h"), ("/p/a\\\\b.h", "/p/a\\b.h"),
        ("/p/a\\b.h", "/p/a\\b.h"), ("/p/正 常.h".replacing(" ", with: "\\ "), "/p/正 常.h"),
    ])
    func `what make wants before a sign is no part of a name`(written: String, path: String) {
        #expect(paths("rule: \(written) /next\n") == [path, "/next"])
        #expect(paths("rule: \(written)") == [path])
    }

    @Test func `a relative path is not known to what it is relative`() {
        #expect(paths("dependencies: ../include/x.h /usr/include/stdio.h\n") == nil)
        #expect(paths("dependencies: /usr/include/stdio.h x.h") == nil)
        #expect(paths("a.o: /a.c") == ["/a.c"])
        #expect(paths("a.o : /a.c") == nil)
    }

    @Test func `what is cut short is read as far as it goes`() {
        let text = Array("rule: \\\n /a\\ b/c$$d \\\n /e".utf8)
        for count in 0...text.count { _ = DependencyFile.paths(in: Array(text.prefix(count))) }
        #expect(paths("") == [])
        #expect(paths("rule: /a\\") == ["/a\\"])
        #expect(paths("rule: /a$") == ["/a$"])
    }
}
