/// The outcome of a test in which an assertion of the other library fails: `#expect` in XCTest, `XCTAssert` in Swift Testing.
public enum InteropRule: String, Sendable, Hashable, Codable, CaseIterable {
    /// The test fails.
    case fail
    /// The outcome is that of the toolchain's `swift test`: up to 6.3 it ignores such assertions, and they are only listed.
    case swiftTest = "swift-test"
}

/// How the two libraries worked together in a run.
public struct Interop: Sendable, Hashable, Codable {
    /// The variable that sets the mode of the libraries, from Swift 6.4 on.
    public static let variable = "SWIFT_TESTING_XCTEST_INTEROP_MODE"

    /// The rule for tests in which an assertion of the other library failed.
    public var rule: InteropRule
    /// The value of the variable in the tests; `nil` where it was not set, which is `limited` from Swift 6.4 on.
    public var mode: String?
    /// Whether each process with tests of Swift Testing must confirm that it hears assertions of XCTest; `nil` in runs of versions
    /// without such confirmations.
    public var confirmsHearing: Bool?

    package init(rule: InteropRule, mode: String? = nil, confirmsHearing: Bool? = nil) {
        (self.rule, self.mode, self.confirmsHearing) = (rule, mode, confirmsHearing)
    }

    /// Both in words: `fail the test`, `as swift test hears them, in mode limited`.
    public var words: String {
        let rule =
            switch self.rule {
            case .fail: "fail the test"
            case .swiftTest: "as swift test hears them"
            }
        return mode.map { "\(rule), in mode \($0)" } ?? rule
    }

    /// The mode that `swift test` sets for a package: `complete` from tools version 6.4 on, which only Swift 6.4 and later can read.
    ///
    /// - Parameter toolsVersion: The version in the first line of the manifest; `nil` if it is unknown.
    public static func mode(toolsVersion: String?) -> String? {
        let numbers = (toolsVersion ?? "").split(separator: ".").map { Int($0) ?? 0 } + [0, 0]
        return (numbers[0], numbers[1]) >= (6, 4) ? "complete" : nil
    }

    /// The gap of a run whose tests are told another mode than `swift test` tells them; `nil` if it is the same.
    ///
    /// - Parameter toolsVersion: The version in the first line of the manifest; `nil` if it is unknown.
    public func gap(toolsVersion: String?) -> Gap? {
        let usual = Self.mode(toolsVersion: toolsVersion)
        guard mode != usual else { return nil }
        let (own, other) = (
            mode.map { "is \($0)" } ?? "is not set", usual.map { "sets it to \($0)" } ?? "does not set it"
        )
        return Gap(.interopMode, subject: mode ?? "", detail: "\(Self.variable) \(own); swift test \(other)")
    }
}
