import RunModel

extension HookScript {
    /// The shell command that judges, without the arguments of the hook.
    var call: String {
        let options =
            packages.map { (name: "package-path", value: packages.count > 1 && $0.isEmpty ? "." : $0) }
            + [("home", server?.home ?? home ?? "")]
            + (server?.words ?? [])
        let words = options.filter { !$0.value.isEmpty }.map { " --\($0.name) \(ShellWord.quoted($0.value))" }
        return "\(ShellWord.quoted(binary)) hook run \(kind.rawValue)" + words.joined()
    }

    /// Lines for another shell script that call Kanmon; later commands still get the input.
    var snippet: [String] {
        guard kind.readsStandardInput else { return ["\(call) \"$@\" || exit $?"] }
        return ["# Before anything else that reads standard input, such as Git LFS."] + Self.readingInput + [
            "printf '%s' \"$input\" | \(call) \"$@\" || exit $?",
            "[ -z \"$input\" ] || exec <<KANMON_INPUT",
            "${input%?}",
            "KANMON_INPUT",
        ]
    }

    /// Words for the places of packages in their repository.
    static func words(for packages: [String]) -> String {
        let places = packages.map { $0.isEmpty ? "at the top of the repository" : "in \(GitName($0))" }
        return (places.count == 1 ? "the package " : "the packages ") + places.joined(separator: ", ")
    }
}
