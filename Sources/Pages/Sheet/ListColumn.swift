import Gate

/// A column of a list, told once: what stands above it, how it orders the list, and what it shows of an entry.
///
/// `Context` is what its cells are made with besides the entry.
struct ListColumn<Entry, Context>: Sendable {
    /// What stands above it, and by what it orders the list.
    let head: Head
    /// Whether an entry stands before another where the smallest comes first; `nil` where the column compares none.
    let precedes: (@Sendable (Entry, Entry) -> Bool)?
    /// What it shows of an entry.
    let cell: @Sendable (Entry, Context) -> Cell

    /// Makes a column from its parts.
    init(
        _ head: Head, before precedes: (@Sendable (Entry, Entry) -> Bool)? = nil,
        cell: @escaping @Sendable (Entry, Context) -> Cell
    ) {
        (self.head, self.precedes, self.cell) = (head, precedes, cell)
    }
}

extension Array {
    /// Whether an entry stands before another by the column with a key; `nil` where no column compares by that.
    func precedes<Entry, Context>(_ one: Entry, _ other: Entry, by key: ListOrder.Key) -> Bool?
    where Element == ListColumn<Entry, Context> {
        first { $0.head.key == key }?.precedes?(one, other)
    }
}

extension CellTable {
    /// A table of entries.
    init<Entry, Context>(
        _ columns: [ListColumn<Entry, Context>], _ entries: [Entry], _ context: Context, sorting: Sorting? = nil
    ) {
        let rows = entries.map { entry in columns.map { $0.cell(entry, context) } }
        self.init(columns.map(\.head), rows, sorting: sorting)
    }
}
