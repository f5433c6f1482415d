package import Application
public import ArgumentParser
import Pages
public import Repository
public import RunModel
import SettingsFile

extension Engine: ExpressibleByArgument {
    /// Reads an engine that can start tests; `foreign` only describes runs of other tools.
    public init?(argument: String) {
        guard let engine = Engine(rawValue: argument), engine != .foreign else { return nil }
        self = engine
    }

    /// The engines to choose from.
    public static var allValueStrings: [String] { [swiftTest, direct].map(\.rawValue) }
}
extension HookKind: ExpressibleByArgument {}
extension CoverageMetric: ExpressibleByArgument {}

extension Percentage: ExpressibleByArgument {
    /// Reads `80` or `79.5`.
    public init?(argument: String) { self.init(argument) }
}

extension ServerHookSettings.Mode: ExpressibleByArgument {}

extension BranchName: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension Shard: ExpressibleByArgument {
    /// Reads `2/3`.
    public init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard parts.count == 2,
            parts.allSatisfy({ (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy { digits.contains($0) } }),
            let index = Int(parts[0]), let count = Int(parts[1]), count <= 1000
        else { return nil }
        self.init(index: index, count: count)
    }
}

/// Checks count options against common limits.
enum CountArgument {
    static func check(_ count: Int, of option: String) throws {
        guard (1...1000).contains(count) else { throw ValidationError("\(option) is between 1 and 1000") }
    }
}

/// How many entries a list has at most.
enum ListLength {
    /// What `--limit` says; without it what is read with ease, or for programs what the page of the list has.
    static func of(_ limit: Int?, json: Bool) -> Int { limit ?? (json ? SheetPage.listLength : 20) }
}

/// Reads time limits in the form of the settings file.
enum TimeLimitArgument {
    static func read(_ text: String) throws -> Duration {
        guard let limit = Duration(timeLimit: text) else {
            throw ValidationError("'\(text)' is not a time limit such as 90s, 5m or 1h30m; at most a week")
        }
        return limit
    }

    /// The same, or `0s` for no time at all.
    static func readOrNone(_ text: String) throws -> Duration { text == "0s" ? .zero : try read(text) }
}
