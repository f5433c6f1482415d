import RunModel

/// The names of the files of a static report: ASCII letters, digits, `.`, `_` and `-`, so that no link needs an escape.
struct StaticNames: Sendable {
    static let index = "index.html"
    static let history = "history.html"
    static let stylesheet = "kanmon.css"
    static let icon = "kanmon.svg"

    /// Test targets and the files of their tests.
    private(set) var tests: [(target: String, name: String)] = []
    /// Source files and the files of their pages.
    private(set) var sources: [(path: String, name: String)] = []
    private let run: RunID
    private var testNames: [Name: String] = [:]
    private var sourceNames: [Name: String] = [:]

    /// Names a page for every test target, every file with coverage, and every file that another page shows lines of.
    init(_ run: TestRun) {
        self.run = run.id
        var taken: Set<String> = []
        for test in run.tests where testNames[Name(test.id.module)] == nil {
            let name = Self.name(test.id.module, in: "tests", taken: &taken)
            testNames[Name(test.id.module)] = name
            tests.append((test.id.module, name))
        }
        for path in (run.coverage?.files ?? []).map(\.path) + RunPage.pathsToExcerpt(of: run)
        where sourceNames[Name(path)] == nil {
            let name = Self.name(path, in: "sources", taken: &taken)
            sourceNames[Name(path)] = name
            sources.append((path, name))
        }
    }

    /// The links of a page in a folder from which `up` leads to the top.
    func links(from up: String) -> Links {
        Links { [run, testNames, sourceNames] route in
            let name: String? =
                switch route {
                case .home(kept: nil, order: nil), .runs(project: nil, before: _, filter: _, order: nil): Self.index
                // A static page cannot sort a list again.
                case .runs(_, _, _, order: nil): Self.history
                case .run(let id, let commit): id == run && commit == nil ? Self.index : nil
                case .tests(let id, let target, tag: nil, order: nil, from: nil):
                    id == run ? testNames[Name(target)] : nil
                case .source(let id, let path): id == run ? sourceNames[Name(path)] : nil
                case .stylesheet: Self.stylesheet
                case .icon: Self.icon
                // No other page is in the report, so there is no link to it.
                default: nil
                }
            return name.map { up + $0 }
        }
    }

    /// A name that is free on disks that ignore case, too.
    private static func name(_ text: String, in folder: String, taken: inout Set<String>) -> String {
        let bytes = text.utf8.suffix(150).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"):
                byte
            default: UInt8(ascii: "-")
            }
        }
        let base = "\(folder)/\(String(decoding: bytes, as: UTF8.self))"
        var name = base
        var number = 2
        while !taken.insert(name.lowercased()).inserted {
            name = "\(base)-\(number)"
            number += 1
        }
        return name + ".html"
    }
}
