import Foundation
import RunModel
import TestSupport
import Testing

@testable import kanmon

@Suite struct SettingsEditTests {
    private let program: Program
    private let today: CalendarDay

    init() async throws {
        today = try await .settled()
        program = Program(folder: try TestFolder())
        try program.folder.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "Kit", targets: [.target(name: "Core"), .target(name: "KitUI")])

            """, to: "work/Package.swift")
        for name in ["Core", "KitUI"] { try program.folder.write("let a = 1\n", to: "work/Sources/\(name)/A.swift") }
        try program.folder.write("coverage:\n  modules:\n    Core: 95 # kept\n", to: "work/.kanmon.yml")
    }

    private func settings() throws -> String {
        try String(contentsOfFile: "\(program.folder.work)/.kanmon.yml", encoding: .utf8)
    }

    @Test func `an exclude is written, and the two commits are named`() async throws {
        let done = try await program.run(["exclude", "Sources/Core/**", "--reason", "it's made"])
        #expect(done.status == 0, "\(done.messages)")
        #expect(done.output == "Sources/Core/** is excluded: it's made\n")
        #expect(
            try settings() == """
                coverage:
                  exclude:
                    - path: "Sources/Core/**"
                      reason: "it's made"
                  modules:
                    Core: 95 # kept

                """)
        #expect(
            done.messages == #"""
                It is a change of the gate. Commit the waiver first, since a hook does not know the message of its own commit:
                  git commit --allow-empty -m 'exclude Sources/Core/**' -m 'Kanmon-Waiver: exclude-added until=\#(today.adding(days: 30)) it'\''s made'
                  git commit -m 'exclude Sources/Core/**' -- .kanmon.yml

                """#)
        let again = try await program.run(["exclude", "Sources/Core/**", "--reason", "r"])
        #expect(again.status == 64)
        #expect(again.messages.contains("'Sources/Core/**' is excluded already"), "\(again.messages)")
        let nothing = try await program.run(["exclude", "Sources/Cor/**", "--reason", "r", "--print"])
        #expect(nothing.status == 0)
        #expect(nothing.output.contains("- path: \"Sources/Cor/**\"\n"))
        #expect(nothing.messages.contains("a run that finds none is refused"), "\(nothing.messages)")
        #expect(try !settings().contains("Cor/"))
    }

    @Test func `a floor is set, and only a lower one needs a waiver`() async throws {
        let higher = try await program.run(["floor", "KitUI", "85.5"])
        #expect(higher.status == 0, "\(higher.messages)")
        #expect(higher.output == "KitUI: line floor 85.5 %, before 80 %\n")
        #expect(try settings() == "coverage:\n  modules:\n    KitUI: { line: 85.5 }\n    Core: 95 # kept\n")
        #expect(higher.messages == "Commit it:\n  git commit -m 'line floor of KitUI: 85.5 %' -- .kanmon.yml\n")
        let bare = try await program.run(["floor", "Core", "90"])
        #expect(bare.status == 64)
        #expect(bare.messages.contains("Try: say why with --reason"), "\(bare.messages)")
        #expect(try settings().contains("Core: 95 "))
        let lower = try await program.run(["floor", "Core", "90", "--reason", "moved", "--until", "3d"])
        #expect(lower.status == 0, "\(lower.messages)")
        #expect(try settings().hasSuffix("    Core: 90 # kept\n"))
        #expect(
            lower.messages.contains("Kanmon-Waiver: floor-lowered until=\(today.adding(days: 3)) moved"),
            "\(lower.messages)")
        let functions = try await program.run(["floor", "Core", "70", "--metric", "function"])
        #expect(functions.output == "Core: function floor 70 %, before 0 %\n", "\(functions.messages)")
        #expect(try settings().hasSuffix("    Core: { line: 90, function: 70 } # kept\n"))
        let others = try await program.run(["floor", "default", "60", "--reason", "r"])
        #expect(others.messages.contains("Kanmon-Waiver: default-floor-lowered"), "\(others.messages)")
    }

    @Test func `a floor of a pattern or on another metric changes no other floor`() async throws {
        try program.folder.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Kit", targets: [.target(name: "Core"), .target(name: "KitUI"), .target(name: "AppUI")])

            """, to: "work/Package.swift")
        try program.folder.write("let a = 1\n", to: "work/Sources/AppUI/A.swift")
        try program.folder.write(
            """
            coverage:
              modules:
                KitUI: { line: 90, function: 80 } # kept
                # The others.
                "*": { line: 70, region: 60 }

            """, to: "work/.kanmon.yml")
        let lower = try await program.run(["floor", "*UI", "65"])
        #expect(lower.status == 64)
        #expect(lower.messages.contains("65 % is lower than 70 %"), "\(lower.messages)")
        let pattern = try await program.run(["floor", "*UI", "85"])
        #expect(pattern.status == 0, "\(pattern.messages)")
        #expect(pattern.output == "*UI: line floor 85 %, before 70 %; an earlier rule is for KitUI\n")
        let metric = try await program.run(["floor", "Core", "50", "--metric", "function"])
        #expect(metric.status == 0, "\(metric.messages)")
        #expect(metric.output == "Core: function floor 50 %, before 0 %\n")
        let written = """
            coverage:
              modules:
                Core: { line: 70, region: 60, function: 50 }
                KitUI: { line: 90, function: 80 } # kept
                "*UI": { line: 85, region: 60 }
                # The others.
                "*": { line: 70, region: 60 }

            """
        #expect(try settings() == written)
        let nothing = try await program.run(["floor", "Kit*", "99"])
        #expect(nothing.status == 64)
        #expect(nothing.messages.contains("'Kit*' would be for no module"), "\(nothing.messages)")
        #expect(nothing.messages.contains("Try: set the floor of KitUI"), "\(nothing.messages)")
        #expect(try settings() == written)
    }

    @Test func `a floor of no module and one that is there already are refused`() async throws {
        let before = try settings()
        for (words, status, message) in [
            (["Coer", "90"], 78, "Core"), (["Core", "95"], 64, "is 95 % already"), (["Core", "101"], 64, "101"),
            (["Core", "9", "--metric", "branch"], 64, "branch"),
        ] as [([String], Int32, String)] {
            let refused = try await program.run(["floor"] + words)
            #expect(refused.status == status, "\(refused.messages)")
            #expect(refused.messages.contains(message), "\(refused.messages)")
        }
        #expect(try settings() == before)
    }
}
