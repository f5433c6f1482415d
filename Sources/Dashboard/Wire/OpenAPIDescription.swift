import Foundation

/// The addresses with data, as an OpenAPI document. It is made from one table, so that a test can request each
/// address.
enum OpenAPIDescription {
    /// An address with data.
    struct Path {
        /// The path, with names of values in braces, such as `{run}` for the id of a run.
        let path: String
        let summary: String
        /// Names of query values; one that ends with `?` may be left out.
        let query: [String]
        /// The fields that every answer has in its data, or in each entry of it; `nil` for an answer without
        /// `schemaVersion` and `data`.
        let fields: [String]?
        let isList: Bool
        /// Whether the answer is a redirect to the data.
        var leadsOn = false

        /// The names of the values in the path.
        var names: [String] { path.matches(of: /\{(\w+)\}/).map { String($0.output.1) } }
    }

    static let run = [
        "id", "project", "package", "startedAt", "seconds", "decision", "exitStatus", "isPartial", "isExact",
        "trust", "outcomes",
    ]

    static let paths = [
        Path(
            path: "/index.json", summary: "The state of every project's default branch.", query: [],
            fields: ["name", "runs", "regressions", "running"], isList: true),
        Path(
            path: "/wall.json", summary: "The same.", query: [], fields: ["name", "runs", "regressions", "running"],
            isList: true),
        Path(
            path: "/machines.json", summary: "The machines that deliver runs, and what waits there.", query: [],
            fields: ["token", "trust", "runs", "refused"], isList: true),
        Path(
            path: "/project.json", summary: "One project over its last full runs.", query: ["project"],
            fields: ["project", "runs", "modules", "branches", "workingCopies"], isList: false),
        Path(
            path: "/branch.json", summary: "What fails on a branch now, since when, and its last full runs.",
            query: ["project", "branch"], fields: ["name", "project", "failing", "runs"], isList: false),
        Path(
            path: "/runs.json",
            summary:
                "Runs, the newest first unless `sort` gives another order; `next` is the address of the next page.",
            query: ["project?", "branch?", "verdict?", "author?", "since?", "until?", "sort?", "order?", "before?"],
            fields: run,
            isList: true),
        Path(
            path: "/runs/{run}.json", summary: "One run and its verdict, in the form of docs/report.schema.json.",
            query: [], fields: nil, isList: false),
        Path(
            path: "/runs/{run}/live.json", summary: "A run in progress; 404 once it is stored.", query: [],
            fields: [
                "id", "project", "startedAt", "status", "isPartial", "isExact", "tests", "build", "elapsedSeconds",
            ],
            isList: false),
        Path(
            path: "/runs/{run}/tests.json", summary: "The tests of one target in one run, all or those with one tag.",
            query: ["target", "tag?", "sort?", "order?"],
            fields: ["test", "outcome", "attempts", "tags"], isList: true),
        Path(
            path: "/runs/{run}/source.json", summary: "The executable lines of a file, each with its count.",
            query: ["path"], fields: ["path", "module", "tally", "isExcluded", "lines"], isList: false),
        Path(
            path: "/runs/{run}/who.json",
            summary: "The tests that execute a line of a file, as far as they were recorded.",
            query: ["path", "at"],
            fields: ["recorded", "unrecorded", "isExecuted", "tests", "hasOthers", "testsOfFunction"], isList: false),
        Path(
            path: "/runs/{run}/coverage.json", summary: "The files of a run with their lines covered.",
            query: ["module?", "sort?", "order?"], fields: ["path", "module", "tally", "isExcluded"], isList: true),
        Path(
            path: "/runs/{run}/evidence.json",
            summary: "The files that a run left behind, each with its path, its role and its bytes.", query: [],
            fields: nil, isList: true),
        Path(
            path: "/runs/{run}/policy.json",
            summary:
                "The policy of a run, and the result if every module needed `line` % of its lines.",
            query: ["line?"], fields: ["decision", "policy", "modules"], isList: false),
        Path(
            path: "/test.json", summary: "One test over its runs, the newest first.",
            query: ["project", "module", "suite?", "name", "file?"],
            fields: ["run", "startedAt", "isExact", "outcome", "attempts", "attachments"], isList: true),
        Path(
            path: "/flaky.json", summary: "Flaky tests, all or those with one tag.",
            query: ["project", "tag?", "sort?", "order?"],
            fields: ["test", "disagreements", "flips", "failures", "recoveries", "executions", "tags"], isList: true),
        Path(
            path: "/slow.json", summary: "The slowest tests of the latest full run, of all or of those with one tag.",
            query: ["project", "tag?", "sort?", "order?"],
            fields: ["test", "latestSeconds", "medianSeconds", "longestSeconds", "runs", "tags"], isList: true),
        Path(
            path: "/exceptions.json",
            summary: "Waivers in force, tests in quarantine and test targets that are switched off.",
            query: ["project"], fields: ["waivers", "quarantine", "disabledTargets"], isList: false),
        Path(
            path: "/known-issues.json", summary: "Tests with known issues, all or those with one tag.",
            query: ["project", "tag?", "sort?", "order?"],
            fields: ["test", "tags"], isList: true),
        Path(
            path: "/exclusions.json", summary: "The excludes.", query: ["project", "sort?", "order?"],
            fields: ["pattern", "files", "lines"], isList: true),
        Path(
            path: "/selection.json",
            summary:
                "Runs of all tests, with what running only the tests of changed functions would have left out and missed.",
            query: ["project"],
            fields: ["run", "base", "tests", "spared", "seconds", "sparedSeconds", "newFailures", "missed"],
            isList: true),
        Path(
            path: "/unverified.json", summary: "Commits of the default branch whose tree has not passed.",
            query: ["project"], fields: ["looked", "commits"], isList: false),
        Path(
            path: "/compare.json", summary: "What changed from one run to another.", query: ["before", "after"],
            fields: ["before", "after", "changes", "slower", "modules"], isList: false),
        Path(
            path: "/search.json",
            summary:
                "Tests, targets, files, branches and authors by a part of their name, failures by their message, runs by commit, subject or id.",
            query: ["q?"],
            fields: ["branches", "authors", "targets", "tests", "messages", "files", "runs", "isCut"], isList: false),
        Path(
            path: "/badge.json", summary: "The badge of a project, in the format of shields.io.",
            query: ["project"], fields: nil, isList: false),
        Path(
            path: "/latest.json",
            summary: "Redirects to the data of the latest full run of a project, on one branch or on any.",
            query: ["project", "branch?"], fields: nil, isList: false, leadsOn: true),
        Path(
            path: "/commit.json",
            summary: "Redirects to the data of the latest run of a commit, by at least four digits of its hash.",
            query: ["id"], fields: nil, isList: false, leadsOn: true),
        Path(
            path: "/p/{project}/latest.json", summary: "Redirects to the data of the latest run of a project.",
            query: [],
            fields: nil, isList: false, leadsOn: true),
        Path(
            path: "/p/{project}/commit/{commit}.json",
            summary: "Redirects to the data of the latest run of a commit, by at least four digits of its hash.",
            query: [],
            fields: nil, isList: false, leadsOn: true),
        Path(
            path: "/p/{project}/tree/{tree}.json",
            summary: "Redirects to the data of the latest run of a tree, by its whole hash.", query: [], fields: nil,
            isList: false, leadsOn: true),
    ]

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

    private static func operation(_ path: Path) -> [String: Any] {
        var parameters = queryParameters(path.query)
        parameters += path.names.map { ["name": $0, "in": "path", "required": true, "schema": ["type": "string"]] }
        var responses: [String: Any] = [
            "400": ["description": "The address is malformed."],
            "404": ["description": "Not found."],
        ]
        if path.leadsOn {
            responses["302"] = ["description": "The address of the data, in the field Location."]
        } else {
            responses["200"] = [
                "description": "The data.", "content": ["application/json": ["schema": schema(path)]],
            ]
            responses["304"] = ["description": "The client already has it, by its ETag."]
        }
        return ["summary": path.summary, "parameters": parameters, "responses": responses]
    }

    private static func schema(_ path: Path) -> [String: Any] {
        guard let fields = path.fields else { return ["type": "object"] }
        let content: [String: Any] = ["type": "object", "required": fields]
        return [
            "type": "object", "required": ["schemaVersion", "data"],
            "properties": [
                "schemaVersion": ["const": 1],
                "data": path.isList ? ["type": "array", "items": content] : content,
                "next": ["type": "string"],
            ] as [String: Any],
        ]
    }
}
