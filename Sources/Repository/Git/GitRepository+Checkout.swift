import Foundation

extension GitRepository {
    /// The settings that git applies at a checkout here, besides those in the tree: filters, line ends, attributes.
    public func checkoutRules() async throws(GitError) -> [UInt8] {
        try CheckoutRules.bytes(
            of: try await run("config", CheckoutRules.question), in: commonDirectory,
            variables: git.environment.inherited)
    }
}

/// The query for these settings.
enum CheckoutRules {
    /// The arguments of `git config`.
    static let question: [GitArgument] = [
        "-z", "--get-regexp",
        "^(filter\\..*|core\\.(autocrlf|eol|safecrlf|symlinks|filemode|attributesfile|ignorecase|precomposeunicode)|attr\\.tree)$",
    ]

    /// The settings, and the attributes that are no part of any tree.
    static func bytes(
        of answer: GitOutput, in commonDirectory: String, variables: [String: String]
    ) throws(GitError) -> [UInt8] {
        // Status 1 means that nothing is set.
        let settings = answer.status == 1 ? [] : try answer.checked("config").bytes
        let files = [
            commonDirectory + "/info/attributes", ofUser(settings, variables) ?? "", "/etc/gitattributes",
        ]
        return files.reduce(into: settings) { bytes, file in
            bytes += [0] + (FileManager.default.contents(atPath: file) ?? Data())
        }
    }

    /// The file with the user's attributes: the one that the settings name, or git's default (`man gitattributes`).
    private static func ofUser(_ settings: [UInt8], _ variables: [String: String]) -> String? {
        let home = variables["HOME"] ?? ""
        let key = Array("core.attributesfile\n".utf8)
        if let named = settings.split(separator: 0).last(where: { $0.starts(with: key) })?.dropFirst(key.count) {
            let path = String(decoding: named, as: UTF8.self)
            return path.hasPrefix("~/") ? home + path.dropFirst() : path
        }
        let folder = variables["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.config"
        return folder + "/git/attributes"
    }
}
