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

    /// The program and its arguments, as a step records them.
    var words: [String] { [executable] + arguments }
}
