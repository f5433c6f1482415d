import RunModel
import Synchronization

/// The tests of modules as they were read before, for as long as the store stays as it is.
final class ModuleCache: Sendable {
    /// Which lists of a run tell of which module.
    struct Key: Hashable {
        /// Those that name the tests.
        let tests: Tests
        /// Those that durations are told from.
        let baselineRoster, baseline: Int64

        struct Tests: Hashable {
            let project, roster, editions: Int64
            /// The module's name, byte for byte.
            let module: [UInt8]
        }
    }

    /// What runs share of the results of a module.
    struct Lists {
        /// Where its tests are among those of the run; they stand together, as the order is that of identities.
        let range: Range<Int>
        /// How many tests the run has.
        let count: Int
        /// The rows of its tests.
        let tests: [Int64]
        var catalog: TestCatalog
        /// What the durations of the module's tests are told from.
        let baseline: [DurationList.Step?]

        /// About how many bytes it takes.
        var size: Int {
            catalog.tests.reduce(0) { size, test in
                let names = test.id.suite.utf8.count + test.id.name.utf8.count
                return size + 200 + names + (test.displayName?.utf8.count ?? 0) + (test.skipReason?.utf8.count ?? 0)
            }
        }
    }

    private struct Entry {
        let lists: Lists
        let version: StoreVersion
        let size: Int
    }

    private struct Kept {
        var entries: [Key: Entry] = [:]
        var catalogs: [Key.Tests: TestCatalog] = [:]
        var size = 0
    }

    /// About how many bytes are remembered at most.
    private let room: Int
    private let kept = Mutex(Kept())

    init(room: Int = 4 << 20) { self.room = room }

    /// What was read in this state of the store.
    func lists(_ key: Key, in version: StoreVersion?) -> Lists? {
        kept.withLock { kept in
            guard let entry = kept.entries[key], entry.version == version else { return nil }
            return entry.lists
        }
    }

    /// Remembers what was read in a state of the store.
    ///
    /// - Returns: The same, with the catalog that was remembered before if that has the same tests: what was made of it goes on.
    func keep(_ lists: Lists, _ key: Key, in version: StoreVersion?) -> Lists {
        var lists = lists
        // Compared without the lock.
        if let known = kept.withLock({ $0.catalogs[key.tests] }), known == lists.catalog { lists.catalog = known }
        let size = lists.size
        guard let version, size <= room / 2 else { return lists }
        kept.withLock { kept in
            kept.size -= kept.entries.removeValue(forKey: key)?.size ?? 0
            // All at once, so that nothing has to be known of when each was asked for.
            if kept.size + size > room { kept = Kept() }
            kept.size += size
            kept.entries[key] = Entry(lists: lists, version: version, size: size)
            kept.catalogs[key.tests] = lists.catalog
        }
        return lists
    }
}
