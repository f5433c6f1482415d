import Foundation
public import Gate
public import RunModel
import Wording

/// The problems of a run in the Static Analysis Results Interchange Format, which code scanning of GitHub and editors read.
///
/// Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0". Problems without a place in a file are
/// notifications of the tool; errors among them are also results at the first line of the manifest, because GitHub shows no
/// notifications, and refuses a result without a place. There are no columns: SARIF counts characters, and compilers and
/// tests report bytes.
public enum SARIFReport {
    private struct Text: Encodable { let text: String }

    private struct Log: Encodable {
        let schema = "https://json.schemastore.org/sarif-2.1.0.json"
        let version = "2.1.0"
        let runs: [Run]

        enum CodingKeys: String, CodingKey {
            case schema = "$schema"
            case version, runs
        }
    }

    private struct Run: Encodable {
        let tool: Tool
        let automationDetails: Details
        let invocations: [Invocation]
        let results: [Result]
    }

    private struct Tool: Encodable {
        struct Driver: Encodable {
            let name = "Kanmon"
            let version: String
            let rules: [Rule]
        }
        let driver: Driver
    }

    private struct Rule: Encodable {
        let id: String
        let shortDescription: Text
    }

    /// What keeps the findings of one project apart from those of another in the same repository.
    private struct Details: Encodable { let id: String }

    private struct Invocation: Encodable {
        let executionSuccessful: Bool
        let toolExecutionNotifications: [Notification]
    }

    private struct Notification: Encodable {
        struct Descriptor: Encodable { let id: String }
        let descriptor: Descriptor
        let level: String
        let message: Text
    }

    private struct Result: Encodable {
        struct Location: Encodable {
            struct Physical: Encodable {
                struct Artifact: Encodable {
                    let uri: String
                    let uriBaseId = "%SRCROOT%"
                }
                struct Region: Encodable {
                    let startLine: Int
                    let endLine: Int
                }
                let artifactLocation: Artifact
                let region: Region
            }
            let physicalLocation: Physical
        }
        let ruleId: String
        let level: String
        let message: Text
        let locations: [Location]
        let partialFingerprints: [String: String]
    }

    /// The report.
    ///
    /// - Parameter version: That of Kanmon.
    /// - Throws: Errors of the encoder, which do not occur for these values.
    public static func render(
        _ run: TestRun, _ verdict: Verdict, version: String, pathPrefix: String = ""
    ) throws -> String {
        let findings = Finding.all(run, verdict, pathPrefix: pathPrefix)
        var occurrences = Finding.Occurrences()
        var results: [Result] = []
        var notifications: [Notification] = []
        for finding in findings {
            let message = Text(text: finding.sentence)
            if finding.path == nil {
                notifications.append(
                    Notification(
                        descriptor: .init(id: finding.kind.rawValue), level: finding.kind.level, message: message))
            }
            guard let (path, lines) = finding.place(in: pathPrefix) else { continue }
            results.append(
                Result(
                    ruleId: finding.kind.rawValue, level: finding.kind.level, message: message,
                    locations: [
                        .init(
                            physicalLocation: .init(
                                artifactLocation: .init(uri: PercentEncoding.path(path)),
                                region: .init(startLine: lines.lowerBound, endLine: lines.upperBound)))
                    ],
                    partialFingerprints: ["kanmon/v1": occurrences.fingerprint(of: finding)]))
        }
        let rules = Finding.Kind.allCases.map { Rule(id: $0.rawValue, shortDescription: Text(text: $0.words)) }
        let log = Log(runs: [
            Run(
                tool: Tool(driver: .init(version: version, rules: rules)),
                automationDetails: Details(id: "kanmon/\(TerminalText.safe(run.project))/"),
                invocations: [
                    Invocation(
                        executionSuccessful: verdict.decision != .undecided,
                        toolExecutionNotifications: notifications)
                ],
                results: results)
        ])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(log), as: UTF8.self) + "\n"
    }
}

extension Finding.Kind {
    /// The severity, in SARIF's word.
    fileprivate var level: String { isError ? "error" : "warning" }

    /// What the rule is about, for a list of rules.
    fileprivate var words: String {
        switch self {
        case .buildError: "The build failed."
        case .testFailed: "A test failed."
        case .testExcused: "A test failed that does not block."
        case .ruleViolated: "A rule of the gate is violated."
        case .evidenceMissing: "The evidence does not establish what happened."
        case .lineMissed: "Lines are not covered, and a floor is missed."
        }
    }
}
