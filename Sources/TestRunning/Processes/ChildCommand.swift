import CProcess
import Foundation

/// A program to start: a plain value, so that what a run would do can be looked at without doing it.
struct ChildCommand: Sendable, Hashable {
    /// The absolute path of the program.
    var executable: String
    /// Its arguments, without the program.
    var arguments: [String]
    /// Its whole environment.
    var environment: [String: String]
    /// The folder it starts in.
    var workingDirectory: String
    /// Whether it waits for the end of the output of what it starts, as SwiftPM does, and so for whoever keeps that open. A
    /// test binary does not: what lost its parent there may be of use to the test that runs.
    var waitsForOutput = false

    /// The program and its arguments, as a step records them.
    var words: [String] { [executable] + arguments }
}

extension ChildCommand {
    /// Lends the command to C for the time of a call.
    func withUnsafeCommand<Value>(
        output: Int32,
        error: Int32,
        isNamespaced: Bool,
        cgroup: String?,
        _ body: (UnsafePointer<cprocess_command>) -> Value
    ) -> Value {
        let words = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        let folder = cgroup.map { strdup($0) } ?? nil
        defer { for text in words + variables + [folder] { free(text) } }
        return executable.withCString { path in
            workingDirectory.withCString { directory in
                words.withUnsafeBufferPointer { words in
                    variables.withUnsafeBufferPointer { variables in
                        var command = cprocess_command(
                            path: path, arguments: words.baseAddress, environment: variables.baseAddress,
                            directory: directory, output: output, error: error,
                            namespaced: isNamespaced ? 1 : 0, cgroup: folder
                        )
                        return body(&command)
                    }
                }
            }
        }
    }
}
