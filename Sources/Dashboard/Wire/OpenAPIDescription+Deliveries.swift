import RunModel

extension OpenAPIDescription {
    /// The calls of machines that deliver runs. They are apart from the table of data, which anybody may request who reads.
    static var deliveries: [String: Any] {
        [
            DeliveryRoute.identity.path: [
                "get": call(
                    "What the token may do.", answers: ["200": "Its name, scope, projects and end."],
                    schema: object(["token": "string", "scope": "string", "projects": "array"]))
            ],
            DeliveryRoute.verdict.path: [
                "get": call(
                    "Ask whether a tree has a verdict that counts on the machine of the token's holder.",
                    query: ["project", "tree", "folder", "inputs?", "nonce"],
                    answers: [
                        "200":
                            "The signed statement in `verdict`: `statement` (JSON as text), `key` and `signature`; without `verdict` if there is none.",
                        "400": "The request is malformed.",
                    ], schema: ["type": "object", "properties": ["verdict": ["type": "object"]]])
            ],
            DeliveryRoute.run("{run}").path: [
                "put": call(
                    "Deliver a run: the list of its files.", parameter: ("run", identity),
                    body: ("application/json", runFiles),
                    answers: [
                        "200": "The token has delivered the run before.", "201": "The run was read, judged and stored.",
                        "202": "Files are missing that the token has not sent.",
                        "409": "The id is known with other bytes.",
                        "422": "No run can be so.",
                    ], schema: object(["state": "string", "missing": "array"]))
            ],
            DeliveryRoute.blob("{sha256}").path: [
                "put": call(
                    "Deliver a file: its bytes.", parameter: ("sha256", digest),
                    body: ("application/octet-stream", [:]),
                    answers: [
                        "200": "The token has sent the file before.", "201": "The file is on the disk.",
                        "422": "The bytes have another SHA-256.",
                    ], schema: object(["sha256": "string"]))
            ],
            DeliveryRoute.progress("{run}").path: [
                "put": call(
                    "Tell how a run goes, at most once a second; it is shown until it is delivered, or for 30 seconds.",
                    parameter: ("run", identity), body: ("application/json", liveRun),
                    answers: [
                        "200": "It is shown, unless the run is stored.", "409": "Another token tells of this run.",
                        "422": "The id was not made of the seed and the project.",
                    ], schema: object(["isShown": "boolean"]))
            ],
        ]
    }

    /// How a token is sent.
    static var security: [String: Any] { ["securitySchemes": ["token": ["type": "http", "scheme": "bearer"]]] }

    private static func call(
        _ summary: String, parameter: (name: String, schema: [String: Any])? = nil, query: [String] = [],
        body: (type: String, schema: [String: Any])? = nil,
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
        var parameters = queryParameters(query)
        if let parameter {
            parameters.append(["name": parameter.name, "in": "path", "required": true, "schema": parameter.schema])
        }
        if !parameters.isEmpty { call["parameters"] = parameters }
        if let body {
            call["requestBody"] = ["required": true, "content": [body.type: ["schema": body.schema]]]
        }
        return call
    }

    // MARK: - Bodies

    private static var identity: [String: Any] { ["type": "string", "format": "uuid"] }
    private static var digest: [String: Any] { ["type": "string", "pattern": "^[0-9a-f]{64}$"] }

    /// A `Delivery`.
    private static var runFiles: [String: Any] {
        let file: [String: Any] = [
            "type": "object", "required": ["path", "sha256", "size"],
            "properties": [
                "path": ["type": "string"], "sha256": digest, "size": ["type": "integer", "minimum": 0],
            ] as [String: Any],
        ]
        return [
            "type": "object", "required": ["schemaVersion", "project", "files"],
            "properties": [
                "schemaVersion": ["const": 1], "project": ["type": "string"],
                "files": ["type": "array", "items": file],
            ] as [String: Any],
        ]
    }

    /// A `LiveRun`.
    private static var liveRun: [String: Any] {
        let progress: [String: Any] = [
            "type": "object",
            "required": ["built", "toBuild", "discovered", "ended", "failed", "failures"],
            "properties": [
                "step": ["type": "string"], "built": ["type": "integer"], "toBuild": ["type": "integer"],
                "discovered": ["type": "integer"], "ended": ["type": "integer"], "failed": ["type": "integer"],
                "failures": ["type": "array", "items": ["type": "string"]], "running": ["type": "string"],
            ] as [String: Any],
        ]
        return [
            "type": "object", "required": ["runID", "seed", "project", "startedAt", "folder", "isPartial", "progress"],
            "properties": [
                "runID": identity, "seed": ["type": "string"], "project": ["type": "string"],
                "startedAt": ["type": "number", "description": "Seconds since 1970."], "folder": ["type": "string"],
                "isPartial": ["type": "boolean"], "revision": ["type": "object"], "expected": ["type": "object"],
                "progress": progress,
            ] as [String: Any],
        ]
    }

    private static func object(_ fields: [String: String]) -> [String: Any] {
        ["type": "object", "required": fields.keys.sorted(), "properties": fields.mapValues { ["type": $0] }]
    }
}
