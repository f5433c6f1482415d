import Exports

/// How a page's data are described: an address with `.json`, its values and its fields.
struct DataDescription: Sendable {
    /// The path, with names of values in braces, such as `{run}` for the id of a run.
    let path: String
    let summary: String
    /// Names of query values; one that ends with `?` may be left out.
    let query: [String]
    /// The fields of the data, or of each entry of it; one that ends with `?` may be left out. `nil` for an answer without `schemaVersion`
    /// and `data`.
    let fields: [String]?
    let isList: Bool
    /// Whether the answer is a redirect to the data.
    var isRedirect = false
    /// What stands beside the data, each an object.
    var also: [String] = []

    /// The names of the values in the path.
    var names: [String] { path.matches(of: /\{(\w+)\}/).map { String($0.output.1) } }
}

extension DataDescription {
    /// Data that are one form.
    static func object<Form: Decodable>(
        _ path: String, of form: Form.Type, query: [String] = [], also: [String] = [], _ summary: String
    ) -> [DataDescription] {
        [
            DataDescription(
                path: path, summary: summary, query: query, fields: FieldNames.of(form), isList: false, also: also)
        ]
    }

    /// Data that are a list of forms.
    static func list<Form: Decodable>(
        _ path: String, of form: Form.Type, query: [String] = [], also: [String] = [], _ summary: String
    ) -> [DataDescription] {
        [
            DataDescription(
                path: path, summary: summary, query: query, fields: FieldNames.of(form), isList: true, also: also)
        ]
    }
}
