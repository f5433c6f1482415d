import Testing

@testable import Repository

@Suite struct HookScriptTests {
    @Test(
        arguments: HookKind.allCases, ["/usr/bin/kanmon", "/o'dd \"dir\"/$(x)/`y`/生\n\\/kanmon", "/a''b/kanmon", "/'"])
    func `a script is read back as it was written`(kind: HookKind, path: String) {
        let server = ServerOptions(mode: .verify, home: path, store: "/s't", project: "a/b", dashboard: "http://d/")
        let script = HookScript(
            kind: kind, binary: path, swift: "/s'w/swift", packageSubpath: "Sub dir",
            server: kind.isServers ? server : nil)
        #expect(HookScript(script.text, kind: kind) == script)
        #expect(HookScript.isMarked(script.text, kind: kind))
    }

    @Test func `a script that differs in one byte is not ours any more`() {
        let text = HookScript(kind: .prePush, binary: "/b", swift: "/s", packageSubpath: "").text
        #expect(HookScript(text + "echo mine\n", kind: .prePush) == nil)
        #expect(HookScript(text, kind: .preCommit) == nil)
        for index in text.indices {
            var shorter = text
            shorter.remove(at: index)
            // Only a path may lose a character and still be a path: another one.
            if let read = HookScript(shorter, kind: .prePush) {
                #expect([read.binary, read.swift] != ["/b", "/s"])
            }
        }
    }
}
