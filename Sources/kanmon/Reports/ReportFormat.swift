import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import RunModel

/// The formats of a stored run.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, markdown, html, junit, cobertura, lcov, sarif
    case sonarCoverage = "sonar-coverage"
    case sonarTests = "sonar-tests"
    case gitHubAnnotations = "github-annotations"
    case gitLabCodeQuality = "gitlab-code-quality"

    /// Whether it is a folder of files.
    var isFolder: Bool { self == .junit || self == .html }

    /// Whether it shows code in more detail than lines, such as functions.
    var showsDetails: Bool { [.text, .json, .html, .cobertura].contains(self) }

    /// The text of a format that is no folder.
    func text(_ found: JudgedRun, _ place: PackagePlace, limit: Int?) throws -> String {
        let (run, verdict) = (found.run, found.verdict)
        switch self {
        case .text: return TextReport.render(run, verdict)
        case .json: return try JSONReport.render(run, verdict)
        case .markdown:
            return limit.map { MarkdownReport.render(run, verdict, limit: $0) } ?? MarkdownReport.render(run, verdict)
        case .cobertura:
            return try Self.coverage(
                CoberturaReport.render(run, verdict, packageRoot: place.root, pathPrefix: place.prefix))
        case .lcov: return try Self.coverage(LCOVReport.render(run, verdict, packageRoot: place.root))
        case .sonarCoverage: return try Self.coverage(SonarReport.coverage(run, verdict, pathPrefix: place.prefix))
        case .sonarTests:
            let (text, omitted) = SonarReport.tests(run, verdict, pathPrefix: place.prefix)
            if omitted > 0 {
                StandardStreams.tell(
                    "kanmon: warning: \(omitted) of \(run.tests.count) tests are not in it: Sonar needs their file, which is unknown"
                )
            }
            return text
        case .gitHubAnnotations: return GitHubAnnotations.render(run, verdict, pathPrefix: place.prefix)
        case .gitLabCodeQuality: return try GitLabCodeQuality.render(run, verdict, pathPrefix: place.prefix)
        case .sarif:
            return try SARIFReport.render(run, verdict, version: Release.version, pathPrefix: place.prefix)
        case .junit, .html: return ""
        }
    }

    private static func coverage(_ text: String?) throws -> String {
        guard let text else {
            throw Problem(
                .badInput, "the run has no coverage to write",
                hint: "kanmon report shows why; junit and sonar-tests are formats of tests alone")
        }
        return text
    }
}
