import Objects

/// The objects of a folder, one after the other, in the order of their keys. One page of them is in memory.
struct ObjectCursor {
    private let objects: RunObjects
    private let folder: String
    private var page: ArraySlice<ObjectPage.Entry> = []
    private var after: String?
    private var isAtEnd = false

    /// Begins behind a text, or with the first for `nil`.
    init(_ objects: RunObjects, in folder: String, after start: String? = nil) {
        self.objects = objects
        self.folder = folder
        after = start
    }

    /// The next object, which stays the next one; `nil` behind the last.
    mutating func first() async throws -> ObjectPage.Entry? {
        while page.isEmpty, !isAtEnd {
            let found = try await objects.store.list(
                in: RunKey.key(folder), after: after, limit: ObjectPage.largest,
                until: ContinuousClock.now + RunObjects.patience)
            page = found.entries[...]
            after = found.next
            isAtEnd = found.next == nil
        }
        return page.first
    }

    /// The next object; `nil` behind the last.
    mutating func next() async throws -> ObjectPage.Entry? {
        _ = try await first()
        return page.popFirst()
    }
}

/// Everything among the objects that is kept under the ids of runs, one run after the other. In memory are the entries of one run.
struct KeptRuns {
    /// The arrivals and manifests of one run.
    struct Run: Sendable {
        let place: RunPlace
        let arrivals: [ObjectPage.Entry]
        let manifests: [ObjectPage.Entry]
    }

    private var arrivals: PlaceCursor
    private var manifests: PlaceCursor

    init(_ objects: RunObjects) {
        arrivals = PlaceCursor(objects, in: RunKey.arrivals)
        manifests = PlaceCursor(objects, in: RunKey.manifests)
    }

    /// Keys that were passed and are of no run.
    var strangers: Told { arrivals.strangers + manifests.strangers }

    /// The next run; `nil` behind the last.
    mutating func next() async throws -> Run? {
        let places = [try await arrivals.place(), try await manifests.place()]
        guard let place = places.compactMap(\.self).min() else { return nil }
        return Run(
            place: place, arrivals: try await arrivals.take(place), manifests: try await manifests.take(place))
    }
}

/// The objects of a folder that has those of runs.
private struct PlaceCursor {
    private let folder: String
    private var entries: ObjectCursor
    private(set) var strangers = Told()

    init(_ objects: RunObjects, in folder: String) {
        self.folder = folder
        entries = ObjectCursor(objects, in: folder)
    }

    /// The run of the next object; `nil` behind the last.
    mutating func place() async throws -> RunPlace? {
        while let entry = try await entries.first() {
            if let place = RunKey.place(of: entry.key, in: folder) { return place }
            strangers.add("\(entry.key) is of no run")
            _ = try await entries.next()
        }
        return nil
    }

    /// The next objects, as far as they are of one run.
    mutating func take(_ place: RunPlace) async throws -> [ObjectPage.Entry] {
        var taken: [ObjectPage.Entry] = []
        while try await self.place() == place, let entry = try await entries.next() { taken.append(entry) }
        return taken
    }
}

/// Lines for whoever looks after the objects: the first of them, and how many more there were.
package struct Told: Sendable, Hashable {
    /// How many lines are kept.
    private static let most = 100

    /// The lines that are kept.
    package private(set) var lines: [String] = []
    /// How many there were besides.
    package private(set) var more = 0

    /// Whether there is none.
    package var isEmpty: Bool { lines.isEmpty }
    /// How many there were.
    package var count: Int { lines.count + more }

    /// Adds a line.
    mutating func add(_ line: String) {
        if lines.count < Self.most { lines.append(line) } else { more += 1 }
    }

    /// Both, one behind the other.
    static func + (left: Told, right: Told) -> Told {
        var sum = left
        for line in right.lines { sum.add(line) }
        sum.more += right.more
        return sum
    }
}
