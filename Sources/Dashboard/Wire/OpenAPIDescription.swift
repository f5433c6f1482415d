import Foundation

/// The OpenAPI document of all addresses that answer with data. It is generated from the descriptions of the pages'
/// data, so that a test can request each address.
enum OpenAPIDescription {
    /// The addresses that answer with data.
    static var paths: [DataDescription] { ServedPages.descriptions }

    /// The document.
    ///
    /// - Parameter server: The prefix of every path.
    static func bytes(at server: String) throws -> [UInt8] {
        let document: [String: Any] = [
            "openapi": "3.1.0",
            "info": [
                "title": "Kanmon", "version": "1",
                "description": "The data behind the pages of the dashboard. Fields are only ever added.",
            ],
            "servers": [["url": server]],
            "components": security,
            "paths": Dictionary(uniqueKeysWithValues: paths.map { ($0.path, ["get": operation($0)] as Any) })
                .merging(deliveries) { data, _ in data },
        ]
        return Array(
            try JSONSerialization.data(
                withJSONObject: document, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]))
    }

    /// The values of a query; a name that ends with `?` may be left out.
    static func queryParameters(_ names: [String]) -> [[String: Any]] {
        names.map { name in
            let isRequired = !name.hasSuffix("?")
            return [
                "name": isRequired ? name : String(name.dropLast()), "in": "query", "required": isRequired,
                "schema": ["type": "string"],
            ]
        }
    }

    private static func operation(_ path: DataDescription) -> [String: Any] {
        var parameters = queryParameters(path.query)
        parameters += path.names.map { ["name": $0, "in": "path", "required": true, "schema": ["type": "string"]] }
        var responses: [String: Any] = [
            "400": ["description": "The address is malformed."],
            "404": ["description": "Not found."],
        ]
        if path.isRedirect {
            responses["302"] = ["description": "The address of the data, in the field Location."]
        } else {
            responses["200"] = [
                "description": "The data.", "content": ["application/json": ["schema": schema(path)]],
            ]
            responses["304"] = ["description": "The client already has it, by its ETag."]
        }
        return ["summary": path.summary, "parameters": parameters, "responses": responses]
    }

    private static func schema(_ path: DataDescription) -> [String: Any] {
        guard let fields = path.fields else { return ["type": "object"] }
        let names = fields.map { $0.hasSuffix("?") ? String($0.dropLast()) : $0 }
        let required = fields.filter { !$0.hasSuffix("?") }
        // Of any type.
        var described: [String: Any] = [:]
        for name in names { described[name] = [String: Any]() }
        let content: [String: Any] = ["type": "object", "required": required, "properties": described]
        var properties: [String: Any] = [
            "schemaVersion": ["const": 1],
            "data": path.isList ? ["type": "array", "items": content] : content,
            "next": ["type": "string"],
        ]
        for name in path.also { properties[name] = ["type": "object"] }
        return ["type": "object", "required": ["schemaVersion", "data"], "properties": properties]
    }
}
