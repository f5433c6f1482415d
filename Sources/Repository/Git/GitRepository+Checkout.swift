import Foundation

extension GitRepository {
    /// The settings that git applies at a checkout here, besides those in the tree: filters, line ends, attributes.
    public func checkoutRules() async throws(GitError) -> [UInt8] {
        try CheckoutRules.bytes(of: try await run("config", CheckoutRules.question), in: commonDirectory)
    }
}

/// The query for these settings.
enum CheckoutRules {
    /// The arguments of `git config`.
    static let question: [GitArgument] = [
        "-z", "--get-regexp",
        "^(filter\\..*|core\\.(autocrlf|eol|safecrlf|symlinks|filemode|attributesfile|ignorecase|precomposeunicode))$",
    ]

    /// The settings, and the attributes that are no part of any tree.
    static func bytes(of answer: GitOutput, in commonDirectory: String) throws(GitError) -> [UInt8] {
        // Status 1 means that nothing is set.
        let settings = answer.status == 1 ? [] : try answer.checked("config").bytes
        let attributes = FileManager.default.contents(atPath: commonDirectory + "/info/attributes") ?? Data()
        return settings + [0] + Array(attributes)
    }
}
