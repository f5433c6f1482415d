import RunModel

/// The shell script that git calls: it runs the earlier hook, then Kanmon, and fails if Kanmon is missing.
struct HookScript: Sendable, Hashable {
    /// The line that marks a script as ours, with the version of its format.
    static func marker(_ kind: HookKind) -> String { "# kanmon-hook 1 \(kind.rawValue)" }

    let kind: HookKind
    /// Absolute path of the `kanmon` binary.
    let binary: String
    /// Absolute path of `swift`, passed as `KANMON_SWIFT`, because graphical clients start hooks with another PATH.
    let swift: String
    /// The folders of the packages below the top of the work tree, in the order in which they are judged; empty for the top. At
    /// least one; on a server exactly one.
    var packages: [String]
    /// The folder of the store, absolute; `nil` for the one in the hook's environment, and on a server.
    let home: String?
    /// The options of a server hook; `nil` in a clone.
    let server: ServerHookSettings?

    var text: String {
        let previous = "\(kind.rawValue)\(HookInstaller.suffix)"
        return """
            #!/bin/sh
            \(Self.marker(kind))
            # Written by `kanmon hook install`; `kanmon hook uninstall` puts back what was here before.
            kanmon=\(ShellWord.quoted(binary))
            KANMON_SWIFT=\(ShellWord.quoted(swift))
            \(places.map { "\($0.variable)=\(ShellWord.quoted($0.path))" }.joined(separator: "\n"))
            export KANMON_SWIFT\(variables)

            if [ ! -x "$kanmon" ]; then
                printf 'kanmon: failed to judge: %s is gone\\n' "$kanmon" >&2
                printf 'Try: kanmon hook install, to record where it is now; or remove the hook %s\\n' "$0" >&2
                exit 127
            fi

            case $0 in
            */*) previous="${0%/*}/\(previous)" ;;
            *) previous="./\(previous)" ;;
            esac
            \(body)

            """
    }

    /// The variables with the packages. The top needs a name where it is one of several.
    private var places: [(variable: String, path: String)] {
        packages.enumerated().map { index, path in
            (Self.variable(ofPackage: index), packages.count > 1 && path.isEmpty ? "." : path)
        }
    }

    private static func variable(ofPackage index: Int) -> String { index == 0 ? "package" : "package\(index + 1)" }

    private var body: String {
        // Options come before the arguments of the hook, the last one first.
        let server = (server?.words ?? []).reversed().map { (option: $0.name, variable: $0.name) }
        let packages = places.reversed().map { (option: "package-path", variable: $0.variable) }
        let lines = (packages + server).map { option, variable in
            "[ -z \"$\(variable)\" ] || set -- --\(option) \"$\(variable)\" \"$@\""
        }
        return kind.readsStandardInput
            ? Self.bodyWithInput(kind, options: lines) : Self.body(kind, options: lines)
    }

    private var variables: String {
        guard let home = server?.home ?? self.home else { return "" }
        let words = (server?.words ?? []).map { "\n\($0.name)=\(ShellWord.quoted($0.value))" }
        return "\nKANMON_HOME=\(ShellWord.quoted(home))\nexport KANMON_HOME" + words.joined()
    }

    private static func body(_ kind: HookKind, options: [String]) -> String {
        """
        if [ -x "$previous" ]; then
            "$previous" "$@" || exit $?
        fi
        \(options.joined(separator: "\n"))
        exec "$kanmon" hook run \(kind.rawValue) "$@"
        """
    }

    private static func bodyWithInput(_ kind: HookKind, options: [String]) -> String {
        """
        if [ -x "$previous" ]; then
            \(readingInput.joined(separator: "\n    "))
            printf '%s' "$input" | "$previous" "$@" || exit $?
            \(options.joined(separator: "\n    "))
            printf '%s' "$input" | "$kanmon" hook run \(kind.rawValue) "$@"
            exit $?
        fi
        \(options.joined(separator: "\n"))
        exec "$kanmon" hook run \(kind.rawValue) "$@"
        """
    }

    /// `$(…)` drops line feeds at the end, hence the x: every reader gets the exact bytes.
    static let readingInput = ["input=$(cat && printf x) || exit 74", "input=${input%x}"]

    /// Whether a text has our marker, perhaps edited.
    static func isMarked(_ text: String, kind: HookKind) -> Bool {
        text.split(separator: "\n").contains { $0 == marker(kind) }
    }

    /// Reads a script that this build wrote; `nil` if any character differs.
    init?(_ text: String, kind: HookKind) {
        func value(_ name: String) -> String? {
            guard let start = text.firstRange(of: "\n\(name)=")?.upperBound else { return nil }
            return Self.unquoted(text[start...])
        }
        guard let binary = value("kanmon"), let swift = value("KANMON_SWIFT") else { return nil }
        var packages: [String] = []
        while let package = value(Self.variable(ofPackage: packages.count)) {
            packages.append(package == "." ? "" : package)
        }
        guard !packages.isEmpty else { return nil }
        var server: ServerHookSettings?
        if kind.isServers {
            guard let home = value("KANMON_HOME"), let read = ServerHookSettings(home: home, reading: value) else {
                return nil
            }
            server = read
        }
        self.init(
            kind: kind, binary: binary, swift: swift, packages: packages,
            home: kind.isServers ? nil : value("KANMON_HOME"), server: server)
        guard Array(self.text.utf8) == Array(text.utf8) else { return nil }
    }

    init(
        kind: HookKind, binary: String, swift: String, packages: [String], home: String? = nil,
        server: ServerHookSettings? = nil
    ) {
        self.kind = kind
        self.binary = binary
        self.swift = swift
        self.packages = packages
        self.home = home
        self.server = server
    }

    private static func unquoted(_ text: Substring) -> String? {
        guard text.first == "'" else { return nil }
        var word = ""
        var rest = text.dropFirst()
        while let end = rest.firstIndex(of: "'") {
            word += rest[..<end]
            rest = rest[end...].dropFirst()
            guard rest.hasPrefix(#"\''"#) else { return word }
            word += "'"
            rest = rest.dropFirst(3)
        }
        return nil
    }
}
