extension OpenAPIDescription {
    /// The calls of machines that deliver runs. They are apart from the table of data, which anybody may request who reads.
    static var deliveries: [String: Any] {
        [
            "/api/v1/whoami": [
                "get": call(
                    "What the token may do.", answers: ["200": "Its name, scope, projects and end."],
                    schema: object(["token": "string", "scope": "string", "projects": "array"]))
            ],
            "/api/v1/verdicts": [
                "get": call(
                    "Ask whether a tree has a verdict that counts on the machine of the token's holder.",
                    query: ["project", "tree", "inputs?", "nonce"],
                    answers: [
                        "200":
                            "The signed statement in `verdict`: `statement` (JSON as text), `key` and `signature`; without `verdict` if there is none.",
                        "400": "The request is malformed.",
                    ], schema: ["type": "object", "properties": ["verdict": ["type": "object"]]])
            ],
            "/api/v1/runs/{run}": [
                "put": call(
                    "Deliver a run: the list of its files.", parameter: "run", body: "application/json",
                    answers: [
                        "200": "The run was known.", "201": "The run was read, judged and stored.",
                        "202": "Files are missing.", "409": "The id is known with other bytes.",
                        "422": "No run can be so.",
                    ], schema: object(["state": "string", "missing": "array"]))
            ],
            "/api/v1/blobs/{sha256}": [
                "put": call(
                    "Deliver a file.", parameter: "sha256", body: "application/octet-stream",
                    answers: [
                        "200": "The file was known.", "201": "The file is on the disk.",
                        "422": "The bytes have another SHA-256.",
                    ], schema: object(["sha256": "string"]))
            ],
            "/api/v1/live/{run}": [
                "put": call(
                    "Tell how a run goes, at most once a second; it is shown until it is delivered, or for 30 seconds.",
                    parameter: "run", body: "application/json",
                    answers: [
                        "200": "It is shown, unless the run is stored.", "409": "Another token tells of this run.",
                    ], schema: object(["isShown": "boolean"]))
            ],
        ]
    }

    /// How a token is sent.
    static var security: [String: Any] { ["securitySchemes": ["token": ["type": "http", "scheme": "bearer"]]] }

    private static func call(
        _ summary: String, parameter: String? = nil, query: [String] = [], body: String? = nil,
        answers: [String: String],
        schema: [String: Any]
    ) -> [String: Any] {
        var answers = answers
        answers["401"] = "The token is not valid."
        if body != nil {
            answers["400"] = "The request is malformed."
            answers["403"] = "The token does not allow it."
            answers["411"] = "The field Content-Length is needed."
            answers["413"] = "It is above a limit."
            answers["507"] = "The disk is nearly full; see Retry-After."
        }
        answers["429"] = "Too many; see Retry-After."
        var call: [String: Any] = [
            "summary": summary, "security": [["token": [String]()]],
            "responses": answers.reduce(into: [String: Any]()) { all, answer in
                // Successes have what is described, refusals the words of what is wrong.
                let content = answer.key < "300" ? schema : object(["error": "string", "code": "string"])
                all[answer.key] = [
                    "description": answer.value, "content": ["application/json": ["schema": content]],
                ]
            },
        ]
        if let parameter {
            call["parameters"] = [["name": parameter, "in": "path", "required": true, "schema": ["type": "string"]]]
        }
        if !query.isEmpty {
            call["parameters"] = query.map { name -> [String: Any] in
                let isRequired = !name.hasSuffix("?")
                return [
                    "name": isRequired ? name : String(name.dropLast()), "in": "query", "required": isRequired,
                    "schema": ["type": "string"],
                ]
            }
        }
        if let body { call["requestBody"] = ["required": true, "content": [body: [String: String]()]] }
        return call
    }

    private static func object(_ fields: [String: String]) -> [String: Any] {
        ["type": "object", "required": fields.keys.sorted(), "properties": fields.mapValues { ["type": $0] }]
    }
}
