/// How much text one search looks at, shared between the projects: what one of them does not need is for those after it, and none keeps
/// another from being searched.
struct SearchBudget {
    /// How many bytes are looked at in all: 64 MiB.
    static let all = 64 << 20
    /// What a text costs beside its bytes, and so a test, a file, a failure: it is read from the store.
    private static let ofText = 64
    /// What a project costs in which there is nothing: its store is asked a few questions.
    private static let ofProject = 4 << 10

    private var projects: Int
    private var rest: Int
    private var left = 0

    init(projects: Int, bytes: Int = SearchBudget.all) { (self.projects, rest) = (projects, bytes) }

    /// The next project has its share.
    mutating func begin() {
        rest += max(left, 0)
        left = rest / max(projects, 1)
        rest -= left
        left -= Self.ofProject
        projects -= 1
    }

    /// Whether no more is looked at in this project.
    var isSpent: Bool { left <= 0 }

    /// How many texts can be looked at in this project at most.
    var most: Int { max(left, 0) / Self.ofText }

    /// How many texts that may be long: of these not many more are read than are looked at.
    var mostLong: Int { most / 16 }

    /// Counts texts; whether they and those after them are still looked at.
    mutating func take(_ texts: String?...) -> Bool {
        for case let text? in texts { left -= Self.ofText + text.utf8.count }
        return !isSpent
    }

    /// There is more in this project than is looked at.
    mutating func spend() { left = 0 }
}
