import Foundation

extension GitRepository {
    /// What git applies to files as it lays them out here, beside what is in the tree: filters, line ends, attributes.
    public func checkoutRules() async throws(GitError) -> [UInt8] {
        try CheckoutRules.bytes(of: try await run("config", CheckoutRules.question), in: commonDirectory)
    }
}

/// What is asked for to know how git lays files out.
enum CheckoutRules {
    /// The arguments of `git config`.
    static let question: [GitArgument] = [
        "-z", "--get-regexp",
        "^(filter\\..*|core\\.(autocrlf|eol|safecrlf|symlinks|filemode|attributesfile|ignorecase|precomposeunicode))$",
    ]

    /// The settings that were answered, and the attributes that are no part of any tree.
    static func bytes(of answer: GitOutput, in commonDirectory: String) throws(GitError) -> [UInt8] {
        // 1 is its way to say that nothing is set.
        let settings = answer.status == 1 ? [] : try answer.checked("config").bytes
        let attributes = FileManager.default.contents(atPath: commonDirectory + "/info/attributes") ?? Data()
        return settings + [0] + Array(attributes)
    }
}
