import Evidence
import Foundation
import RunModel

extension RunExecution {
    /// Evaluates the manifest of a package if it can read files, and takes note of what it says now.
    ///
    /// SwiftPM keeps what a manifest evaluated to by its text and the variables. So what such manifests say becomes a variable: if it is
    /// something else, SwiftPM evaluates them again.
    ///
    /// - Returns: Whether the manifest could be evaluated; SwiftPM says later why not.
    mutating func evaluateManifest(in folder: String, _ tools: ToolPaths) async -> Bool {
        manifestDigests[Name(folder)] = nil
        guard PackageManifest.canReadFiles(in: folder) else { return true }
        let command = TestInvocation.dump(
            tools: tools, packageRoot: folder, scratchPath: request.scratchPath, environment: environment.variables)
        let captured = CapturedOutput()
        let limits = Supervision.Limits(
            run: min(.seconds(120), timeLeft), silence: nil, grace: request.options.limits.grace)
        let outcome = try? await ChildProcess(command, limits: limits, mergesStreams: false, isolation: isolation)
            .run(captured)
        guard outcome?.termination.isSuccess == true, !captured.isCut else {
            // What SwiftPM keeps is of another time, and nothing is kept by this run's own word.
            manifestDigests[Name(folder)] = "\(request.runID)"
            return false
        }
        manifestDigests[Name(folder)] = Digest.sha256(Array(captured.output))
        return true
    }

    /// What all manifests that can read files say, as one hash; `nil` if there are none.
    var manifestMark: String? {
        guard !manifestDigests.isEmpty else { return nil }
        var hash = PiecewiseHash()
        for (folder, digest) in manifestDigests.sorted(by: { $0.key < $1.key }) {
            hash.add(folder.text.utf8)
            hash.add(digest.utf8)
        }
        return hash.hexadecimal
    }
}
