import Testing

@testable import TestRunning

@Suite struct DependencyFileTests {
    private func paths(_ text: String) -> [String] {
        Array(text.utf8).withUnsafeBytes { DependencyFile.prerequisites(in: $0, relativeTo: "/base") }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a rule of clang goes over several lines`() {
        let text = "dependencies: \\\n  /p/Sources/C/shim.c \\\n  /usr/include/stdio.h /usr/include/x86_64/a.h\n"
        #expect(paths(text) == ["/p/Sources/C/shim.c", "/usr/include/stdio.h", "/usr/include/x86_64/a.h"])
    }

    @Test func `a file of the Swift compiler has a rule for each thing that it makes, of which the first says all`() {
        let text = "/b/A.swift.o : /p/A.swift /p/B.swift\n/b/A.swiftmodule : /p/A.swift /p/C.swift\n"
        #expect(paths(text) == ["/p/A.swift", "/p/B.swift"])
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

    @Test func `a relative path begins where the compiler ran`() {
        #expect(paths("dependencies: ../include/x.h \\\n x.h\n") == ["/base/../include/x.h", "/base/x.h"])
        #expect(paths("a.o : a.c") == ["/base/a.c"])
    }

    @Test func `what is cut short is read as far as it goes`() {
        let text = "rule: \\\n /a\\ b/c$$d \\\n /e"
        for count in 0...text.utf8.count { _ = paths(String(text.prefix(count))) }
        #expect(paths("") == [])
        #expect(paths("rule") == [])
        #expect(paths("rule: /a\\") == ["/a\\"])
        #expect(paths("rule: /a$") == ["/a$"])
    }
}
