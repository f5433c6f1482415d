import RunModel
import Testing
import Wording

@Suite struct TestResultWordsTests {
    private func test(_ suite: String, _ name: String, _ library: TestingLibrary) -> TestResult {
        TestResult(id: TestID(module: "CoreTests", suite: suite, name: name), library: library, outcome: .timedOut)
    }

    @Test func `a command names one test, and a shell passes it on unchanged`() {
        #expect(
            test("A.B", "test_URLが'nil'", .xctest).rerunCommand
                == #"swift test --filter '^CoreTests\.A\.B/test_URLが.nil.$'"#
        )
        #expect(
            test("", "plain(_:)\u{1B}\n\u{202E}", .swiftTesting).rerunCommand
                == #"swift test --filter '^CoreTests\.plain\(_:\).../'"#
        )
        #expect(test("", "x", .foreign).rerunCommand == nil)
    }

    @Test func `a name for readers is added where it says more than the function`() {
        func title(_ name: String, _ displayName: String) -> String {
            var result = test("", name, .swiftTesting)
            result.displayName = displayName
            return result.title
        }
        #expect(title("`外 の 名前`()", "外 の 名前") == "CoreTests.`外 の 名前`()")
        #expect(title("`外 の 名前`()", "外") == "CoreTests.`外 の 名前`() “外”")
        #expect(title("f()", "f") == "CoreTests.f() “f”")
    }

    @Test func `a failure without an issue says how it ended`() {
        #expect(test("", "x", .xctest).silentFailure == "The test was still running when a time limit ended it.")
    }

    @Test(arguments: [
        ("\u{1B}[0m", "␛[0m"), ("\u{9B}\u{7F}", "⟨U+009B⟩␡"), ("a\u{202E}b\u{200B}", "a⟨U+202E⟩b⟨U+200B⟩"),
        ("\u{FFFF}\u{1FFFE}", "⟨U+FFFF⟩⟨U+1FFFE⟩"), ("\u{E0041}", "⟨U+E0041⟩"),
        ("👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم ❤\u{FE0F}", "👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم ❤\u{FE0F}"), ("🏴a\u{E0041}", "🏴a⟨U+E0041⟩"),
    ])
    func `what acts or hides is not shown as it is`(text: String, visible: String) {
        var visibility = Visibility()
        let shown = text.unicodeScalars.map { visibility.shows($0) ? String($0) : $0.picture }.joined()
        #expect(Array(shown.unicodeScalars) == Array(visible.unicodeScalars))
    }
}
