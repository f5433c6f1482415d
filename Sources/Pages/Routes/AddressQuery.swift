import Gate
import RunModel

/// Why a request has no route.
public enum RouteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no page at that address.
    case notFound
    /// The address is malformed.
    case malformed(String)

    /// A fragment for a reader.
    public var description: String {
        switch self {
        case .notFound: "there is no page at this address"
        case .malformed(let reason): reason
        }
    }
}

extension Substring {
    /// The parts between the bytes of a separator, also empty ones. Characters would be slow to find, and would hide
    /// a separator that an accent follows.
    func parts(between sign: Unicode.Scalar) -> [Substring] {
        utf8.split(separator: UInt8(ascii: sign), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// The parts before and after the first byte that is the separator; `nil` if there is none.
    func halves(at sign: Unicode.Scalar) -> (before: Substring, behind: Substring?) {
        guard let place = utf8.firstIndex(of: UInt8(ascii: sign)) else { return (self, nil) }
        return (self[..<place], self[utf8.index(after: place)...])
    }
}

/// The known values of an address; other names are ignored.
struct AddressQuery {
    var project: String?
    var key: String?
    var branch: String?
    var module: String?
    var suite: String?
    var name: String?
    var file: String?
    var text: String?
    var commit: String?
    var judged: String?
    var before: RunID?
    var after: RunID?
    var line: Percentage?
    var from: Int?
    var path: String?
    var place: String?
    var target: String?
    var tag: String?
    var verdict: String?
    var author: String?
    var since: String?
    var until: String?
    var trust: String?
    var owner: String?
    var kind: String?
    var sort: String?
    var direction: String?

    init(_ text: Substring) throws(RouteError) {
        for pair in text.parts(between: "&") where !pair.isEmpty {
            let sides = pair.halves(at: "=")
            guard let name = PercentEncoding.decode(sides.before),
                let value = PercentEncoding.decode(sides.behind ?? "")
            else { throw .malformed("the address is not percent-encoded UTF-8") }
            switch name {
            case "project": try Self.set(&project, to: value, name)
            case "key": try Self.set(&key, to: value, name)
            case "path": try Self.set(&path, to: value, name)
            case "at": try Self.set(&place, to: value, name)
            case "verdict": try Self.set(&verdict, to: value, name)
            case "author": try Self.set(&author, to: value, name)
            case "since": try Self.set(&since, to: value, name)
            case "until": try Self.set(&until, to: value, name)
            case "trust": try Self.set(&trust, to: value, name)
            case "owner": try Self.set(&owner, to: value, name)
            case "kind": try Self.set(&kind, to: value, name)
            case "sort": try Self.set(&sort, to: value, name)
            case "order": try Self.set(&direction, to: value, name)
            case "target": try Self.set(&target, to: value, name)
            case "tag": try Self.set(&tag, to: value, name)
            case "branch": try Self.set(&branch, to: value, name)
            case "module": try Self.set(&module, to: value, name)
            case "suite": try Self.set(&suite, to: value, name)
            case "name": try Self.set(&self.name, to: value, name)
            case "file": try Self.set(&file, to: value, name)
            case "q": try Self.set(&self.text, to: value, name)
            case "id": try Self.set(&commit, to: value, name)
            case "commit": try Self.set(&judged, to: value, name)
            case "line":
                guard let line = Percentage(value) else { throw .malformed("'line' is not a percentage") }
                try Self.set(&self.line, to: line, name)
            case "from":
                guard let place = Int(value), place > 0 else { throw .malformed("'from' is not a number from 1 on") }
                try Self.set(&from, to: place, name)
            case "before", "after":
                guard let id = RunID(value) else { throw .malformed("'\(name)' is not the id of a run") }
                if name == "before" { try Self.set(&before, to: id, name) } else { try Self.set(&after, to: id, name) }
            default: continue
            }
        }
    }

    /// A required value.
    func require<Value>(_ value: Value?, _ name: String) throws(RouteError) -> Value {
        guard let value else { throw .malformed("the address lacks '\(name)'") }
        return value
    }

    /// The filter of a list; empty fields of a form are ignored.
    func filter() throws(RouteError) -> RunFilter {
        RunFilter(
            branch: branch.filled,
            decision: try Self.read(verdict, "verdict", as: "passed, failed or undecided") { Decision(rawValue: $0) },
            author: author.filled, since: try Self.read(since, "since", as: "a day") { CalendarDay($0) },
            until: try Self.read(until, "until", as: "a day") { CalendarDay($0) })
    }

    /// What a list is kept to; `nil` for all of it, and for a list that cannot be kept to anything.
    func kept(by filter: ListFilter?) throws(RouteError) -> String? {
        guard let filter else { return nil }
        let value =
            switch filter.key {
            case .verdict: verdict
            case .trust: trust
            case .owner: owner
            case .kind: kind
            }
        let known = filter.choices.map(\.value).joined(separator: ", ")
        return try Self.read(value, filter.key.rawValue, as: "one of \(known)") { filter.accepts($0) ? $0 : nil }
    }

    /// In which order a list stands; `nil` for its own.
    ///
    /// - Parameter keys: What the list can be ordered by.
    func order(by keys: [ListOrder.Key]) throws(RouteError) -> ListOrder? {
        let names = keys.map(\.rawValue).joined(separator: ", ")
        let key = try Self.read(sort, "sort", as: keys.isEmpty ? "known here" : "one of \(names)") { name in
            keys.first { $0.rawValue == name }
        }
        let isDescending = try Self.read(direction, "order", as: "asc or desc") { ["asc": false, "desc": true][$0] }
        return key.map { ListOrder($0, isDescending: isDescending) }
    }

    private static func read<Value>(
        _ text: String?, _ name: String, as kind: String, _ parse: (String) -> Value?
    ) throws(RouteError) -> Value? {
        guard let text = text.filled else { return nil }
        guard let value = parse(text) else { throw .malformed("'\(name)' is not \(kind)") }
        return value
    }

    /// The identity of a test.
    func test() throws(RouteError) -> TestID {
        TestID(
            module: try require(module, "module"), suite: suite ?? "", name: try require(name, "name"),
            discriminator: file ?? "")
    }

    private static func set<Value>(_ slot: inout Value?, to value: Value, _ name: String) throws(RouteError) {
        guard slot == nil else { throw .malformed("'\(name)' occurs twice") }
        slot = value
    }
}

extension Optional where Wrapped == String {
    /// The text, unless it is empty.
    var filled: String? { flatMap { $0.isEmpty ? nil : $0 } }
}
