import Foundation
import RunModel

extension Surroundings {
    /// The name of this machine; `nil` if it has none.
    var hostName: String? {
        // Foundation would ask a name server.
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }

    /// Whether a CI server runs this process.
    var isCI: Bool {
        let value = environment["CI"]?.lowercased() ?? ""
        return (!value.isEmpty && value != "false" && value != "0") || environment["JENKINS_URL"]?.isEmpty == false
    }

    /// This machine by name, the build that this process is a part of, and the repository on a forge.
    ///
    /// - Parameter repository: What the address of the remote tells; a CI server of the forge knows it better.
    func origin(of repository: ForgeRepository? = nil) -> RunOrigin? {
        RunOrigin(host: hostName, build: build, repository: builtRepository ?? repository)
    }

    /// The repository in the variables of a forge's own CI; `nil` elsewhere.
    private var builtRepository: ForgeRepository? {
        if environment["GITLAB_CI"] == "true" {
            return environment["CI_PROJECT_URL"].flatMap { ForgeRepository(.gitLab, url: $0) }
        }
        guard environment["GITHUB_ACTIONS"] == "true", let server = environment["GITHUB_SERVER_URL"],
            let name = environment["GITHUB_REPOSITORY"]
        else { return nil }
        let isGitea = environment["GITEA_ACTIONS"] == "true" || environment["FORGEJO_ACTIONS"] == "true"
        return ForgeRepository(isGitea ? .gitea : .gitHub, url: "\(server)/\(name)")
    }

    /// The build in the variables of a CI server; `nil` if there is none.
    ///
    /// Values that no CI server sets, such as addresses of other schemes, are left out, because pages show them.
    private var build: RunOrigin.Build? {
        func value(_ name: String) -> String? {
            guard let text = environment[name], !text.isEmpty, text.utf8.count <= Self.longestName,
                text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else { return nil }
            return text
        }
        guard let url = value("BUILD_URL"), RunOrigin.isPlainAddress(url) else { return nil }
        return RunOrigin.Build(url: url, job: value("JOB_NAME"), node: value("NODE_NAME"))
    }

    /// The longest value of a variable that is recorded, in bytes, as manifests allow it.
    private static let longestName = 1024
}
