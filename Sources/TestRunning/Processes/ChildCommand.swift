import CProcess
import Foundation

/// A program to start: a plain value, so that tests can check the commands of a run without running them.
struct ChildCommand: Sendable, Hashable {
    /// The absolute path of the program.
    var executable: String
    /// Its arguments, without the program.
    var arguments: [String]
    /// Its whole environment.
    var environment: [String: String]
    /// The folder it starts in.
    var workingDirectory: String
    /// Whether it waits for the end of its children's output, as SwiftPM does, and so for any process that keeps it
    /// open. A test binary does not, and an orphan there may still be needed by the running test.
    var waitsForOutput = false

    /// The program and its arguments, as a step records them.
    var words: [String] { [executable] + arguments }
}

extension ChildCommand {
    /// Passes the command to a C function.
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
