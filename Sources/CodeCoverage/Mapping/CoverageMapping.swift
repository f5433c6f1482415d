import RunModel

/// The functions of all objects of a run, with the counts of its profiles, in the order in which llvm-cov exports them.
///
/// Whatever is not known for sure is a fault, and nothing of it is used.
package struct CoverageMapping {
    /// The version of LLVM's map (`Version7`) and the sizes of its heads.
    private static let version: UInt32 = 6
    private static let recordHead = 28

    /// The paths of sources, each once.
    private(set) var paths: [String] = []
    /// All functions.
    private(set) var functions: [MappedFunction] = []
    /// Their regions.
    private(set) var regions: [MappedRegion] = []
    /// How their counts come about, one for each function; empty unless they are to be kept.
    private(set) var formulas: [FunctionFormula] = []
    private(set) var names = PackedNames()

    private let inflation: Inflation
    private let keepsFormulas: Bool
    private var counters = ProfileCounters()
    private var decoder = FunctionDecoder()
    private var files: [Name: Int] = [:]
    /// The names of the object that is being read.
    private var digests = WordTable()
    private var places: [Range<Int>] = []
    private var isDescribed: [Bool] = []
    /// Whether they are names of a profile, too; and those of all objects that are.
    private var isLinked = false
    private var linkedNames = WordTable()
    private var linkedTexts: Set<UInt64> = []
    /// The names of all functions so far, each with the files it is written in.
    private var known = WordTable()
    private var knownFiles: [[Int]] = []

    /// Nothing yet. Profiles have to be added before objects.
    ///
    /// - Parameter keepsFormulas: Whether it will be asked about counters of single tests.
    package init(keepsFormulas: Bool = false) throws(MappingFault) {
        self.keepsFormulas = keepsFormulas
        guard let inflation = Inflation() else { throw .limit }
        self.inflation = inflation
    }

    /// Adds the counters of a raw profile.
    package mutating func add(profile: UnsafeRawBufferPointer) throws(MappingFault) {
        try counters.add(profile, inflation)
    }

    /// Adds the functions of an object.
    ///
    /// - Parameters:
    ///   - parts: Where the parts of the object lie.
    ///   - whole: What lies around them, `parts.whole` of the file.
    package mutating func add(
        _ parts: ObjectLayout.Parts, whole: UnsafeRawBufferPointer
    ) throws(MappingFault) {
        let start = parts.whole.lowerBound
        func bytes(_ place: Range<Int>) throws(MappingFault) -> UnsafeRawBufferPointer {
            guard place.lowerBound >= start, place.upperBound - start <= whole.count else { throw .truncated }
            return UnsafeRawBufferPointer(rebasing: whole[place.lowerBound - start..<place.upperBound - start])
        }
        let sources = try self.sources(try bytes(parts.map))
        try addNames(try bytes(parts.names))
        for place in parts.functions {
            var cursor = ByteCursor(try bytes(place))
            while !cursor.isAtEnd { try addFunction(&cursor, sources) }
        }
    }

    /// The names of files in a map, by the digest by which functions refer to them; numbers of paths.
    private mutating func sources(
        _ map: UnsafeRawBufferPointer
    ) throws(MappingFault) -> (digest: UInt64, files: [Int]) {
        var cursor = ByteCursor(map)
        let records = try cursor.word(UInt32.self)
        let size = try cursor.word(UInt32.self)
        let mappings = try cursor.word(UInt32.self)
        guard records == 0, mappings == 0, try cursor.word(UInt32.self) == Self.version else { throw .format }
        let bytes = try cursor.take(Int(size))
        cursor.align()
        // The compiler writes one map into each object; only a linker puts several together.
        guard cursor.isAtEnd else { throw .format }
        return (NameDigest.of(bytes), try numbers(ofFilesIn: bytes))
    }

    private mutating func numbers(ofFilesIn bytes: UnsafeRawBufferPointer) throws(MappingFault) -> [Int] {
        var cursor = ByteCursor(bytes)
        let count = try cursor.number(upTo: UInt64(CoverageLimit.files))
        let length = try cursor.number(upTo: 1 << 28)
        let packed = try cursor.number(upTo: UInt64(bytes.count))
        guard count > 0 else { throw .format }
        guard packed > 0 else { return try numbers(ofFilesIn: &cursor, count) }
        var text: [UInt8] = []
        try inflation.unpack(try cursor.take(packed), count: length, to: &text)
        guard cursor.isAtEnd else { throw .format }
        var result: Result<[Int], MappingFault> = .success([])
        text.withUnsafeBytes { text in
            var cursor = ByteCursor(text)
            do throws(MappingFault) {
                result = .success(try numbers(ofFilesIn: &cursor, count))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    /// The first name is that of the folder in which the compiler stood.
    private mutating func numbers(ofFilesIn cursor: inout ByteCursor, _ count: Int) throws(MappingFault) -> [Int] {
        var numbers: [Int] = []
        for _ in 0..<count {
            let bytes = try cursor.text()
            // A relative one is put together with a folder; `-1` until a function refers to it.
            guard bytes.first == UInt8(ascii: "/") else {
                numbers.append(-1)
                continue
            }
            guard let path = String(validating: bytes, as: UTF8.self) else { throw .paths }
            let (key, next) = (Name(path), paths.count)
            if let number = files[key] {
                numbers.append(number)
            } else {
                files[key] = next
                paths.append(path)
                numbers.append(next)
            }
        }
        guard cursor.isAtEnd else { throw .format }
        return numbers
    }

    private mutating func addNames(_ bytes: UnsafeRawBufferPointer) throws(MappingFault) {
        digests.removeAll()
        places.removeAll(keepingCapacity: true)
        try names.add(bytes, inflation)
        isLinked = counters.holds(names.pieces)
        for piece in names.pieces {
            for place in try names.names(in: piece) where digests.add(names.digest(of: place)).isNew {
                places.append(place)
            }
            if isLinked { linkedTexts.insert(piece.digest) }
        }
        if isLinked { for digest in digests.words { _ = linkedNames.add(digest) } }
        isDescribed = Array(repeating: false, count: places.count)
    }

    /// Shows that the profiles name all of their functions.
    func checkNames() throws(MappingFault) { try counters.checkNames(own: linkedNames, in: linkedTexts) }

    /// Adds the function of a record: the digest of its name, the size of what follows, the digests of its structure and of
    /// the names of files, and its regions.
    private mutating func addFunction(
        _ cursor: inout ByteCursor, _ sources: (digest: UInt64, files: [Int])
    ) throws(MappingFault) {
        let digest = try cursor.word(UInt64.self)
        let size = Int(try cursor.word(UInt32.self))
        let structure = try cursor.word(UInt64.self)
        guard try cursor.word(UInt64.self) == sources.digest else { throw .format }
        let mapping = try cursor.take(size)
        cursor.align()
        // Of two of one name in an object llvm-cov takes one, by rules that Swift never needs.
        guard let place = digests.place(of: digest), !isDescribed[place] else { throw .names }
        isDescribed[place] = true
        let file = sources.files[try decoder.read(mapping, files: sources.files.count)]
        guard file >= 0 else { throw .paths }
        let name = try nameWithoutPath(places[place], paths[file])
        let knowledge = try counters.knowledge(of: digest, structure: structure, isLinked: isLinked)
        let isWhole = name.count == places[place].count
        let (number, isNew) = known.add(isWhole ? digest : names.digest(of: name))
        if isNew { knownFiles.append([]) }
        let first = regions.count
        let count = try decoder.count(with: knowledge, to: &regions)
        // What was inlined from one file into several objects is described in each of them.
        guard !knownFiles[number].contains(file) else {
            regions.removeLast(regions.count - first)
            return
        }
        knownFiles[number].append(file)
        functions.append(
            MappedFunction(
                digest: digest, name: name, file: file, regions: first..<regions.count, count: count))
        if keepsFormulas { formulas.append(decoder.formula) }
    }

    /// The name of a function that cannot be seen from elsewhere begins with its file and a colon.
    private func nameWithoutPath(_ name: Range<Int>, _ path: String) throws(MappingFault) -> Range<Int> {
        guard names.text[name].starts(with: path.utf8) else { return name }
        let behind = name.lowerBound + path.utf8.count + 1
        guard behind < name.upperBound else { throw .names }
        return behind..<name.upperBound
    }
}
