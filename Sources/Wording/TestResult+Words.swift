public import RunModel

extension TestID {
    /// The identity with what readers call the test, where they do: `CoreTests.Flags/counts() “counts flags”`; untrusted text.
    public func words(title: String?) -> String { title.map { "\(description) “\($0)”" } ?? description }
}

extension TestResult {
    /// The command that runs this test alone; `nil` for tests of another runner.
    ///
    /// The filter is a regular expression in single quotes. What would end the quotes, or what nobody could read, is
    /// matched by a dot. XCTest is matched by `Module.Class/method`; Swift Testing by
    /// `Module.Suite/function()/File.swift:L:C`, so that an end anchor would never match there.
    public var rerunCommand: String? {
        let end: String
        switch library {
        case .xctest: end = "$"
        case .swiftTesting: end = "/"
        case .foreign: return nil
        }
        var pattern = ""
        for scalar in "\(id.module).\(id.qualifiedName)".unicodeScalars {
            if scalar == "'" || scalar.isUnseen {
                pattern += "."
            } else {
                if "\\.^$*+?()[]{}|".unicodeScalars.contains(scalar) { pattern += "\\" }
                pattern.unicodeScalars.append(scalar)
            }
        }
        return "swift test --filter '^\(pattern)\(end)'"
    }

    /// Module, suite and name, with the names for readers where there are any that say more.
    public var title: String { id.words(title: named.title) }

    /// The text for a failure that recorded no issue.
    public var silentFailure: String? {
        guard firstFailure == nil else { return nil }
        switch outcome {
        case .crashed: return "The test process ended while this test was running."
        case .timedOut: return "The test was still running when a time limit ended it."
        case .failed: return "The test failed without recording an issue."
        case .notRun: return "The test was discovered, but did not run."
        case .passed, .skipped, .knownIssue: return nil
        }
    }
}
