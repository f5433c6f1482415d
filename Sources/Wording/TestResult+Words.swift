public import RunModel

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

    /// Module, suite and name, with the name for readers where there is one that says more.
    ///
    /// Swift Testing gives a raw identifier without its backticks as name for readers.
    public var title: String {
        guard let displayName, Name(displayName) != Name(id.name),
            !id.name.utf8.starts(with: "`\(displayName)`(".utf8)
        else { return id.description }
        return "\(id.description) “\(displayName)”"
    }

    /// The failed test as the violation that it is: `CoreTests.URLTests/testHost` · `crashed`.
    public var failure: ViolationWords { ViolationWords(subject: title, reason: outcome.label, cure: nil) }

    /// What is said of a failure that recorded no issue.
    public var silentFailure: String? {
        guard firstFailure == nil else { return nil }
        switch outcome {
        case .crashed: return "The test process ended while this test was running."
        case .timedOut: return "The test was still running when a time limit ended it."
        case .failed: return "The test failed without recording an issue."
        case .notRun: return "The test was discovered, but there is no sign that it ever ran."
        case .passed, .skipped, .knownIssue: return nil
        }
    }
}
