import Foundation
import RunModel

/// What an object file means, as the toolchain's disassembler prints it: the instructions of each function with the names that they refer
/// to, and the data of each section, without the places where all of it lies.
///
/// A compiler compiles several files at once, and which ones is not the same in an incremental build. What it makes only where somebody
/// needs it is then in the object of another file, and what lies behind it moves; and whether it sees through `some` in the result of
/// another file depends on whether it compiles that file, too. Neither makes an object stale. Compilers of other languages make the same
/// of the same files each time, so there all that a program can read counts, where it lies and how long it is.
struct ObjectCode: Sendable, Hashable {
    /// Hashes of the code of each function by its symbol, without the number of one of several alike.
    private(set) var functions: [Name: Set<String>] = [:]
    /// The data of each section, as words in hexadecimal digits; ordered where their places mean nothing.
    private var data: [Name: [String]] = [:]
    /// Whether all of it counts.
    private let isExact: Bool
    /// The functions and variables that other objects can name.
    private var exported: Set<Name> = []
    /// The opaque types that the code does not see through.
    private var opaque: Set<Name> = []

    /// The arguments of `llvm-objdump` for this.
    static let arguments = [
        "--disassemble", "--reloc", "--full-contents", "--syms", "--no-show-raw-insn", "--no-leading-addr",
    ]

    /// Reads what it printed.
    ///
    /// - Parameters:
    ///   - isExact: Whether its compiler makes the same of the same files each time.
    ///   - anyOrder: Whether the instructions of a function may come in any order.
    init(disassembly: Data, isExact: Bool = false, anyOrder: Bool = false) {
        self.isExact = isExact
        var part = Part.none
        var code: [[UInt8]] = []
        func end(_ found: inout Self, with next: Part) {
            if case .function(let name) = part {
                var hash = PiecewiseHash()
                if anyOrder { code.sort { $0.lexicographicallyPrecedes($1) } }
                for line in code { hash.add(line) }
                found.functions[name, default: []].insert(hash.hexadecimal)
            }
            (part, code) = (next, [])
        }
        disassembly.withUnsafeBytes { text in
            for line in text.split(separator: UInt8(ascii: "\n")) {
                if line.first == UInt8(ascii: "<"), line.suffix(2).elementsEqual(">:".utf8) {
                    let name = name(of: line.dropFirst().dropLast(2))
                    end(&self, with: .function(name))
                } else if line.elementsEqual("SYMBOL TABLE:".utf8) {
                    end(&self, with: .symbols)
                } else if line.starts(with: Self.contents) {
                    let section = String(decoding: line.dropFirst(Self.contents.count).dropLast(), as: UTF8.self)
                    let next = isRead(section) ? Part.data(Name(section)) : .none
                    end(&self, with: next)
                } else if line.starts(with: Self.code) {
                    end(&self, with: .none)
                } else {
                    read(line, in: part, &code)
                }
            }
        }
        end(&self, with: .none)
        if !isExact { for section in data.keys { data[section]?.sort() } }
    }

    /// Whether a compiler makes exactly the same object of the same files each time: one that does not compile Swift, whose objects
    /// are named after their sources, such as `table.c.o`. What is named after a module is made of it for debuggers.
    static func isExact(_ object: String) -> Bool {
        let source = (object as NSString).deletingPathExtension as NSString
        return !source.pathExtension.isEmpty && source.pathExtension != "swift"
    }

    private func name(of symbol: Slice<UnsafeRawBufferPointer>) -> Name {
        Name(String(decoding: isExact ? Array(symbol) : Self.withoutNumbers(symbol), as: UTF8.self))
    }

    /// Whether the content of a section is compared: data, and in an exact object also what it refers to, and the bytes of code, which
    /// a disassembler need not understand.
    private func isRead(_ section: String) -> Bool {
        if Self.isData(section) { return true }
        guard isExact else { return false }
        if Self.isCode(section) { return true }
        guard let prefix = [".rela", ".rel"].first(where: { section.hasPrefix($0) }) else { return false }
        return Self.isData(String(section.dropFirst(prefix.count)))
    }

    private static func isCode(_ section: String) -> Bool { section.hasPrefix(".text") }

    /// What is being read.
    private enum Part {
        case none, symbols
        case data(Name)
        case function(Name)
    }

    private mutating func read(_ line: Slice<UnsafeRawBufferPointer>, in part: Part, _ code: inout [[UInt8]]) {
        switch part {
        case .none: break
        case .symbols: if let name = Self.exportedSymbol(line) { exported.insert(name) }
        case .data(let section):
            // An address, up to four words in hexadecimal digits, two spaces, and the same as text.
            for word in line.split(separator: UInt8(ascii: " "), maxSplits: 6, omittingEmptySubsequences: false)
                .dropFirst(2).prefix(4)
            {
                if word.isEmpty { break }
                data[section, default: []].append(String(decoding: word, as: UTF8.self))
            }
        case .function:
            guard let line = Self.withoutPlaces(line, isExact: isExact) else { break }
            if !isExact, line.starts(with: "\t\t".utf8), line.firstRange(of: Array("Qo_".utf8)) != nil {
                opaque.insert(Name(String(decoding: line, as: UTF8.self)))
            }
            code.append(Array(line))
        }
    }

    private static let contents = Array("Contents of section ".utf8)
    private static let code = Array("Disassembly of section ".utf8)

    /// Whether a section holds what a program reads: neither code, which is compared by function, nor what only debuggers, linkers and
    /// coverage read.
    private static func isData(_ section: String) -> Bool {
        let others = [
            ".text", ".debug", ".rel", ".llvm", "__llvm", ".comment", ".note", ".symtab", ".strtab", ".shstrtab",
            ".group",
            ".eh_frame", ".swift1_autolink", ".swift_modhash",
        ]
        return !others.contains(where: section.hasPrefix)
    }

    /// The name in a line of the symbol table; `nil` for what is not defined here, or made here only because somebody here needs it.
    private static func exportedSymbol(_ line: Slice<UnsafeRawBufferPointer>) -> Name? {
        let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
        guard parts.count == 2, parts[0].dropFirst(17).starts(with: "g ".utf8),
            !parts[0].suffix(6).elementsEqual(" *UND*".utf8),
            var name = parts[1].split(separator: UInt8(ascii: " "), maxSplits: 1).last
        else { return nil }
        for visibility in [".hidden ", ".protected ", ".internal "] where name.starts(with: visibility.utf8) {
            name = name.dropFirst(visibility.utf8.count)
        }
        return Name(String(decoding: name, as: UTF8.self))
    }

    /// Symbols without the numbers that tell them from others alike, such as `.304`.
    private static func withoutNumbers(_ text: some Sequence<UInt8>) -> [UInt8] {
        var kept: [UInt8] = []
        // Where a number begins that may have to go.
        var dot: Int?
        for byte in text {
            let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            if let start = dot, !isDigit, kept.count > start + 1 { kept.removeSubrange(start...) }
            if byte == UInt8(ascii: ".") { dot = kept.count } else if !isDigit { dot = nil }
            kept.append(byte)
        }
        if let start = dot, kept.count > start + 1 { kept.removeSubrange(start...) }
        return kept
    }

    /// A line without the place that a jump or call leads to, which its name and distance say better, and of an object that is not exact
    /// also without the place in a section that it refers to, and without what only fills up.
    private static func withoutPlaces(_ line: Slice<UnsafeRawBufferPointer>, isExact: Bool) -> [UInt8]? {
        let bytes = Array(line)
        if !isExact, bytes.firstRange(of: Array("\tnop".utf8)) != nil { return nil }
        if bytes.starts(with: "\t\tR_".utf8) {
            if isExact { return bytes }
            // A relocation: its kind, a tab, and a name or section with a distance.
            let parts = bytes.split(separator: UInt8(ascii: "\t"))
            guard let target = parts.last, target.first == UInt8(ascii: ".") else {
                return withoutNumbers(bytes)
            }
            return Array("\t\t".utf8) + parts[0] + [UInt8(ascii: "\t")]
                + target.prefix { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }
        }
        guard let bracket = bytes.firstIndex(of: UInt8(ascii: "<")), bracket > 0,
            bytes[bracket - 1] == UInt8(ascii: " ")
        else { return bytes }
        let start = bytes[..<(bracket - 1)].lastIndex { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") } ?? 0
        return Array(bytes[...start]) + (isExact ? Array(bytes[bracket...]) : withoutNumbers(bytes[bracket...]))
    }

    /// The functions and data that are others, and what only one of both exports, ordered.
    func differences(from other: ObjectCode) -> [Name] {
        guard !isExact else { return exactDifferences(from: other) }
        // Which types the one sees through and the other does not changes nearly every function.
        guard opaque == other.opaque else { return [] }
        let names = exported.symmetricDifference(other.exported)
        let changed = functions.filter { name, own in other.functions[name].map { $0 != own } ?? false }.keys
        // What is needed here and not there makes a section longer; whoever needs it is a function.
        let words = data.filter { section, own in
            other.data[section].map { $0.count == own.count && $0 != own } ?? false
        }.keys
        return names.union(changed).union(words.map(Self.dataName)).sorted()
    }

    private func exactDifferences(from other: ObjectCode) -> [Name] {
        let names = exported.symmetricDifference(other.exported).union(Self.changed(functions, other.functions))
        // The bytes of functions that are named say nothing more.
        let sections = Self.changed(data, other.data).filter { names.isEmpty || !Self.isCode($0.text) }
        return names.union(sections.map(Self.dataName)).sorted()
    }

    /// What only one of both has, or what has another value in the other.
    private static func changed<Value: Equatable>(_ own: [Name: Value], _ other: [Name: Value]) -> Set<Name> {
        Set(own.keys).union(other.keys).filter { own[$0] != other[$0] }
    }

    private static func dataName(_ section: Name) -> Name { Name("(data of \(section.text))") }
}
