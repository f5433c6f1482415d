import Access
import Foundation
import HTTPTypes
import Hummingbird
import Pages

extension DashboardResponder {
    /// The longest form, in bytes.
    private static let longestForm = 16 << 10

    /// Signs a reader in or out; `nil` for an address that is neither.
    func signInAnswer(_ path: String, _ request: Request, _ context: DashboardContext) async throws -> Response? {
        guard let control, [SignInPage.path, SignInPage.signOutPath].contains(path) else { return nil }
        let head = request.head
        let signsIn = path == SignInPage.path
        switch head.method {
        case .get, .head:
            guard signsIn else { throw Refusal.notFound }
            if let token = try control.session(of: head.headerFields, at: now()) {
                return signInPage(SignInPage(signedInWith: token.name, links: links), .ok, head)
            }
            return signInPage(SignInPage(to: links.href(.home()), links: links), .ok, head)
        case .post:
            guard isOfThisSite(head) else { throw Refusal.crossSite }
            guard signsIn else { return signOut(control, head) }
            return try await signIn(control, request, context)
        default: throw Refusal.method
        }
    }

    /// The page that asks for a token instead of the one that was requested.
    func signInPage(_ page: SignInPage, _ status: HTTPResponse.Status, _ head: HTTPRequest) -> Response {
        var answer = Answer.refusal(embedded.bytes(of: page), status)
        answer.hasForm = true
        if status == .unauthorized { answer.fields[.wwwAuthenticate] = "Bearer" }
        return answer.response(withBody: head.method != .head)
    }

    private func signIn(
        _ control: AccessControl, _ request: Request, _ context: DashboardContext
    ) async throws -> Response {
        let type = request.headers[.contentType]?.split(separator: ";").first.map { $0.lowercased() }
        guard type == "application/x-www-form-urlencoded" else { throw Refusal.malformed("it is no form") }
        guard let length = request.headers[.contentLength].flatMap({ Int($0) }), length <= Self.longestForm else {
            throw Refusal.body
        }
        let body = try await request.body.collect(upTo: Self.longestForm)
        guard let form = FormFields(body.readableBytesView) else { throw Refusal.malformed("it is no form") }
        let target = landing(form["to"])
        let secret = (form["token"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        guard let token = try control.token(of: secret, at: now()) else {
            if let refusal = failedAttempt(context) { throw refusal }
            let page = SignInPage(to: target, remark: "That is no valid token: it may have expired.", links: links)
            return signInPage(page, .unauthorized, request.head)
        }
        guard token.scope.reads else { throw Refusal.forbidden(scope: token.scope.rawValue) }
        // A browser that was signed in otherwise is so no longer.
        control.closeSessions(of: request.headers)
        let id = control.sessions.open(token, at: now())
        return leave(to: target, cookie: id)
    }

    private func signOut(_ control: AccessControl, _ head: HTTPRequest) -> Response {
        control.closeSessions(of: head.headerFields)
        return leave(to: links.href(.home()), cookie: nil)
    }

    private func leave(to target: String, cookie id: String?) -> Response {
        var answer = Answer.found(target)
        answer.status = .seeOther
        answer.fields[.setCookie] = SessionCookie.field(
            id, path: (baseURL?.path ?? "") + "/", isSecure: isEncrypted)
        return answer.response(withBody: true)
    }

    /// Where to go after signing in: an address of the dashboard, or the first page.
    func landing(_ target: String?) -> String {
        guard let target, let address = try? address(of: target), !address.isData, address.route.served.rights != .open
        else {
            return links.href(.home())
        }
        return links.href(address)
    }

    /// Whether a form was sent by a page of the dashboard. A browser says so; whatever does not is refused.
    private func isOfThisSite(_ head: HTTPRequest) -> Bool {
        if let name = HTTPField.Name("Sec-Fetch-Site"), let site = head.headerFields[name] {
            return site == "same-origin"
        }
        guard let name = HTTPField.Name("Origin"), let origin = head.headerFields[name] else { return false }
        if let baseURL, origin.lowercased() == baseURL.root { return true }
        return head.authority.map { ["http://\($0)", "https://\($0)"].contains(origin.lowercased()) } ?? false
    }
}
