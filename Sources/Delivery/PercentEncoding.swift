import Foundation

extension String {
    /// The text in ASCII, for a query or a field: every byte but letters, digits and `-._~` as a percent sign with two digits
    /// (RFC 3986, unreserved characters).
    var percentEncoded: String { addingPercentEncoding(withAllowedCharacters: .unreserved) ?? "" }
}

extension CharacterSet {
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
}
