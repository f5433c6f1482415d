import Glibc

/// Everything in a folder and below. Links are not followed, and names are bytes.
struct FolderWalk {
    /// An entry of a folder.
    enum Entry: Sendable, Hashable {
        case file(isExecutable: Bool)
        case link
        /// An empty folder.
        case emptyFolder
        /// A socket, a pipe, a device, or something unreadable.
        case other
    }

    /// Folders that are no part of the build, absolute; their contents are not listed.
    private let excluded: Set<[UInt8]>
    private let top: [UInt8]
    /// The package whose own `.build` is no part of the build, and with a slash; `nil` if no such folder is one.
    private let package: [UInt8]?
    private(set) var entries: [GitName: Entry] = [:]
    /// What is called `.git` below the top; its contents are not listed.
    private(set) var repositories: Set<GitName> = []
    private var hasher = Hasher()

    /// A hash that changes when an entry is added, removed or written, or a link leads elsewhere; only for comparisons within this
    /// process.
    var state: Int {
        var hasher = hasher
        hasher.combine(repositories)
        return hasher.finalize()
    }

    /// Lists a folder without what is in `.git`, without the `.build` folders beside a `Package.swift`, and without the given
    /// folders.
    ///
    /// - Parameter package: In the folder of this package, a `.build` other than its own is an entry: tests may build packages there.
    init(_ top: String, without excluded: [String], testing package: String? = nil) {
        self.top = Array(top.utf8)
        self.package = package.map { Array("\($0)/".utf8) }
        self.excluded = Set(excluded.map { Array($0.utf8) })
        entries.reserveCapacity(1024)
        _ = list([])
    }

    /// Lists one folder; returns whether it contains anything.
    private mutating func list(_ folder: [UInt8]) -> Bool {
        let path = folder.isEmpty ? top : top + [Self.slash] + folder
        guard let stream = path.withPath({ opendir($0) }) else {
            entries[GitName(bytes: folder)] = .other
            return true
        }
        defer { closedir(stream) }
        let descriptor = dirfd(stream)
        var isEmpty = true
        var folders: [[UInt8]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in Array(bytes.prefix { $0 != 0 }) }
            if name == [Self.dot] || name == [Self.dot, Self.dot] { continue }
            isEmpty = false
            let isGit = name.elementsEqual(".git".utf8)
            if isGit, folder.isEmpty { continue }
            let below = folder.isEmpty ? name : folder + [Self.slash] + name
            if isGit {
                // Its contents are no part of the state: git writes into it meanwhile.
                repositories.insert(GitName(bytes: below))
                continue
            }
            var status = stat()
            let isSeen = name.withPath { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) } == 0
            note(below, status)
            switch isSeen ? status.st_mode & S_IFMT : 0 {
            case S_IFREG: entries[GitName(bytes: below)] = .file(isExecutable: status.st_mode & S_IXUSR != 0)
            case S_IFLNK: entries[GitName(bytes: below)] = .link
            case S_IFDIR where isOfInnerPackage(name, below): entries[GitName(bytes: below)] = .other
            case S_IFDIR where isExcluded(name, below, in: descriptor): break
            case S_IFDIR: folders.append(below)
            default: entries[GitName(bytes: below)] = .other
            }
        }
        for below in folders where !list(below) { entries[GitName(bytes: below)] = .emptyFolder }
        return !isEmpty
    }

    private mutating func note(_ name: [UInt8], _ status: stat) {
        hasher.combine(name)
        // The target of a link may be added and removed without the link.
        if status.st_mode & S_IFMT == S_IFLNK { hasher.combine(FileContent.real(top + [Self.slash] + name)) }
        // The size and times of a folder change with what is excluded in it.
        guard status.st_mode & S_IFMT != S_IFDIR else { return }
        for number in [Int(status.st_ino), Int(status.st_size), Int(status.st_mode)] { hasher.combine(number) }
        for time in [status.st_mtim, status.st_ctim] {
            hasher.combine(time.tv_sec)
            hasher.combine(time.tv_nsec)
        }
    }

    /// Whether it is the `.build` folder of something below the tested package.
    private func isOfInnerPackage(_ name: [UInt8], _ below: [UInt8]) -> Bool {
        guard let package, name.elementsEqual(".build".utf8) else { return false }
        let path = top + [Self.slash] + below
        return path.starts(with: package) && path.count > package.count + name.count
    }

    private func isExcluded(_ name: [UInt8], _ below: [UInt8], in folder: Int32) -> Bool {
        if name.elementsEqual(".build".utf8), faccessat(folder, "Package.swift", F_OK, 0) == 0 { return true }
        return !excluded.isEmpty && excluded.contains(top + [Self.slash] + below)
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")
}

extension [UInt8] {
    /// Passes the bytes to a system call as a path.
    func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        body((self + [0]).map { CChar(bitPattern: $0) })
    }
}
