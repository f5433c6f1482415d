import Foundation

/// The event that started a build, as GitHub and Gitea describe it in a file: untrusted, and only what is needed of it.
struct ForgeEvent: Decodable, Sendable {
    /// The pull request that the event is about.
    struct PullRequest: Decodable, Sendable {
        /// An account of the forge.
        struct Account: Decodable, Sendable { let login: String }

        let number: Int
        let user: Account
    }

    private enum CodingKeys: String, CodingKey { case pullRequest = "pull_request" }

    let pullRequest: PullRequest

    /// Who opened a pull request; `nil` if the text of an event does not say so of the request with this number.
    static func author(ofRequest number: String, in text: String) -> String? {
        guard let event = try? JSONDecoder().decode(ForgeEvent.self, from: Data(text.utf8)),
            "\(event.pullRequest.number)" == number
        else { return nil }
        return CIVariables.sound(event.pullRequest.user.login)
    }
}
