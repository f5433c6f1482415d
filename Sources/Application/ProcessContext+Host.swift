import Foundation
import RunModel

extension ProcessContext {
    /// The name of this machine; `nil` if it has none.
    package var hostName: String? {
        // Foundation would ask a name server.
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }

    /// Whether a CI server runs this process.
    package var isCI: Bool {
        let value = environment["CI"]?.lowercased() ?? ""
        return (!value.isEmpty && value != "false" && value != "0")
            || ["JENKINS_URL", "TEAMCITY_VERSION", "TF_BUILD"].contains { environment[$0]?.isEmpty == false }
    }

    /// The build of a CI server that this process is a part of; `nil` outside of CI.
    package var build: CIBuild? {
        CIBuild(environment) { path in
            // The properties of a build and the event that started it are some kilobytes; of a longer file nothing more is read.
            guard let file = FileHandle(forReadingAtPath: path), let bytes = try? file.read(upToCount: 1 << 20) else {
                return nil
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// This machine by name, the build that this process is a part of, and the repository on a forge.
    ///
    /// - Parameter repository: What the address of the remote tells; a CI server of the forge knows it better.
    func origin(of repository: ForgeRepository? = nil) -> RunHost? {
        let build = build
        return RunHost(
            host: hostName, build: build?.build, repository: build?.repository ?? repository, change: build?.change)
    }
}
