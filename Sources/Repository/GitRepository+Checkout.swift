import Foundation

extension GitRepository {
    /// What git applies to files as it lays them out here, beside what is in the tree: filters, line ends, attributes.
    public func checkoutRules() async throws(GitError) -> [UInt8] {
        let pattern =
            "^(filter\\..*|core\\.(autocrlf|eol|safecrlf|symlinks|filemode|attributesfile|ignorecase|precomposeunicode))$"
        let answer = try await run("config", ["-z", "--get-regexp", GitArgument(pattern)])
        // 1 is its way to say that nothing is set.
        let settings = answer.status == 1 ? [] : try answer.checked("config").bytes
        let attributes = FileManager.default.contents(atPath: commonDirectory + "/info/attributes") ?? Data()
        return settings + [0] + Array(attributes)
    }
}
