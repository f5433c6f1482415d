import RunModel
import Testing

@testable import Repository

@Suite struct DiffReaderTests {
    /// `git diff --raw -z --abbrev=40 --patch --unified=0`: a new file whose text looks like a patch, and a changed one
    /// without a line feed at its end.
    private static let recorded =
        ":000000 100644 \(String(repeating: "0", count: 40)) b75f97fff834af0bef5b08137b4162a2b09d9b4c A\0n.swift\0"
        + ":100644 100644 d68dd4031d2ad5b7a3829ad7df6635e27a7daa22 f8f7a32fcd985e6a1547c16e063fa0204bae689b M\0x.swift\0"
            + """
            \0diff --git a/n.swift b/n.swift
            new file mode 100644
            index 0000000..b75f97f
            --- /dev/null
            +++ b/n.swift
            @@ -0,0 +1,3 @@
            +-- a
            +@@ -1 +1 @@
            +diff --git a/x b/x
            diff --git a/x.swift b/x.swift
            index d68dd40..f8f7a32 100644
            --- a/x.swift
            +++ b/x.swift
            @@ -2 +2 @@ a
            -b
            +B
            @@ -4 +4 @@ c
            -d
            +d
            \\ No newline at end of file

            """

    @Test func `content that looks like a patch is content`() throws {
        var reader = DiffReader(Array(Self.recorded.utf8))
        let lines = ["-- a", "@@ -1 +1 @@", "diff --git a/x b/x"].map { Array($0.utf8) }
        #expect(
            try reader.read() == [
                FileDiff(
                    basePath: nil, path: GitName("n.swift"),
                    hunks: [.init(lines: ChangedLines(base: 1..<1, head: 1..<4), removed: [], added: lines)]),
                FileDiff(
                    basePath: GitName("x.swift"), path: GitName("x.swift"),
                    hunks: [
                        .init(
                            lines: ChangedLines(base: 2..<3, head: 2..<3), removed: [Array("b".utf8)],
                            added: [Array("B".utf8)]),
                        .init(
                            lines: ChangedLines(base: 4..<5, head: 4..<5), removed: [Array("d".utf8)],
                            added: [Array("d".utf8)]),
                    ]),
            ])
    }

    @Test func `cut short anywhere it throws or reads less, and never traps`() throws {
        let bytes = Array(Self.recorded.utf8)
        var whole = DiffReader(bytes)
        let expected = try whole.read()
        var complete = 0
        for length in 0..<bytes.count {
            var reader = DiffReader(Array(bytes[..<length]))
            if let files = try? reader.read(), files == expected { complete += 1 }
        }
        // Whole but for the remark at the end, of which nothing is read, or the last line's end.
        #expect(complete == "\n\\ No newline at end of file\n".utf8.count)
    }

    @Test func `unresolved conflicts are an error`() {
        var reader = DiffReader(Array(":000000 100644 0000000 0000000 U\0x.swift\0".utf8))
        #expect(
            throws: GitError.unexpectedOutput(
                command: "diff", detail: "x.swift has conflicts that are not resolved")
        ) { try reader.read() }
    }
}
