public import Gate

/// A value of a list that can be sorted.
public protocol Sortable {
    /// Whether this stands before another where the smallest comes first.
    func precedes(_ other: Self, by key: ListOrder.Key) -> Bool
}

extension Sequence where Element: Sortable {
    /// The same in the order that was requested; what is alike in that stays as it was, as does all without an order.
    public func sorted(by order: ListOrder?) -> [Element] {
        guard let order else { return Array(self) }
        return sorted { order.isDescending ? $1.precedes($0, by: order.key) : $0.precedes($1, by: order.key) }
    }

    /// The same for a list with a default order: by the key of that order it is reversed, or stays as it is.
    public func sorted(by order: ListOrder?, standing: ListOrder) -> [Element] {
        guard let order, order.key == standing.key else { return sorted(by: order) }
        return order == standing ? Array(self) : reversed()
    }
}

/// How the heads of a list's columns order it: each is a link to the same list in another order.
struct Sorting: Sendable {
    /// The order that the list has by itself, where that is one of these.
    let standard: ListOrder?
    let asked: ListOrder?
    /// The list in an order; `nil` for its own. No link where there is no such page.
    let href: @Sendable (ListOrder?) -> String?

    init(_ asked: ListOrder?, standard: ListOrder? = nil, href: @escaping @Sendable (ListOrder?) -> String?) {
        (self.asked, self.standard, self.href) = (asked, standard, href)
    }

    /// Where the head of a column leads: the other way round for that by which the list is ordered.
    fileprivate func next(_ key: ListOrder.Key) -> String? {
        let next = current(key)?.reversed ?? ListOrder(key)
        return href(next == standard ? nil : next)
    }

    /// The order of the list, if it is by this.
    fileprivate func current(_ key: ListOrder.Key) -> ListOrder? {
        (asked ?? standard).flatMap { $0.key == key ? $0 : nil }
    }
}

/// What stands above a column: a name that begins with `#` stands above figures.
struct Head: Sendable, ExpressibleByStringLiteral {
    let name: String
    let key: ListOrder.Key?

    init(stringLiteral name: String) {
        self.name = name
        key = nil
    }

    private init(_ name: String, _ key: ListOrder.Key) {
        self.name = name
        self.key = key
    }

    /// A column that the list can be ordered by.
    static func by(_ key: ListOrder.Key, _ name: String) -> Head { Head(name, key) }
}

/// The head of a column as a page shows it.
struct Column: Sendable, TemplateValue {
    let name: String
    let isNumber: Bool
    /// The list ordered by it.
    let link: Link?
    /// `ascending` or `descending`, where the list is ordered by it.
    let sort: String?
    /// An arrow that says the same.
    let sign: String?

    init(_ head: Head, _ sorting: Sorting?) {
        isNumber = head.name.hasPrefix("#")
        let name = isNumber ? String(head.name.dropFirst()) : head.name
        self.name = name
        link = head.key.flatMap { sorting?.next($0) }.map { Link(name, $0) }
        let current = head.key.flatMap { sorting?.current($0) }
        sort = current.map { $0.isDescending ? "descending" : "ascending" }
        sign = current.map { $0.isDescending ? "↓" : "↑" }
    }

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "name": self.name
        case "isNumber": isNumber
        case "link": link
        case "sort": sort
        case "sign": sign
        default: nil
        }
    }
}
