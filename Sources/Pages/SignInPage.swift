public import Web

/// The page where a reader signs in with a token, and out again.
public struct SignInPage: Page {
    /// The template it is rendered with.
    public static let template = WebFile.signInPage
    /// Where the form is sent.
    public static let path = "/sign-in"
    /// Where the form of a reader who leaves is sent.
    public static let signOutPath = "/sign-out"
    /// Title and way back.
    public let frame: PageFrame

    let heading: String
    let remark: String?
    let signIn: SignInForm?
    let signOut: SignOutForm?

    /// The page for somebody who is not signed in.
    ///
    /// - Parameters:
    ///   - target: Where to go afterwards, an address of the dashboard.
    ///   - remark: Why an attempt failed.
    ///   - links: How links are written.
    public init(to target: String, remark: String? = nil, links: Links = .dashboard) {
        frame = PageFrame(title: "Sign in", links: links)
        heading = "Sign in"
        self.remark = remark
        signIn = SignInForm(action: links.prefix + Self.path, to: target)
        signOut = nil
    }

    /// The page for somebody who is signed in.
    ///
    /// - Parameters:
    ///   - name: The name of the reader's token.
    ///   - links: How links are written.
    public init(signedInWith name: String, links: Links = .dashboard) {
        frame = PageFrame(title: "Signed in", links: links)
        heading = "Signed in"
        remark = "You are signed in with the token '\(name)'."
        signIn = nil
        signOut = SignOutForm(action: links.prefix + Self.signOutPath, home: links.href(.home()))
    }
}

/// The form for a token.
struct SignInForm: Sendable {
    let action: String
    let to: String
}

/// The form to leave.
struct SignOutForm: Sendable {
    let action: String
    let home: String
}
