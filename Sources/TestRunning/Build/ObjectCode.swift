import Foundation
import RunModel

/// What an object file means, as the toolchain's disassembler prints it: the instructions of each function with the names that they refer
/// to, and the data of each section, without the places where all of it lies.
///
/// A compiler compiles several files at once, and which ones is not the same in an incremental build. What it makes only where somebody
/// needs it is then in the object of another file, and what lies behind it moves; and whether it sees through `some` in the result of
/// another file depends on whether it compiles that file, too. Neither makes an object stale.
struct ObjectCode: Sendable, Hashable {
    /// Hashes of the code of each function by its symbol, without the number of one of several alike.
    private(set) var functions: [Name: Set<String>] = [:]
    /// The data of each section, as ordered words in hexadecimal digits, so that their places mean nothing.
    private var data: [Name: [String]] = [:]
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
    /// - Parameter anyOrder: Whether the instructions of a function may come in any order.
    init(disassembly: Data, anyOrder: Bool = false) {
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
                    let symbol = Self.withoutNumbers(line.dropFirst().dropLast(2))
                    end(&self, with: .function(Name(String(decoding: symbol, as: UTF8.self))))
                } else if line.elementsEqual("SYMBOL TABLE:".utf8) {
                    end(&self, with: .symbols)
                } else if line.starts(with: Self.contents) {
                    let section = String(decoding: line.dropFirst(Self.contents.count).dropLast(), as: UTF8.self)
                    end(&self, with: Self.isData(section) ? .data(Name(section)) : .none)
                } else if line.starts(with: Self.code) {
                    end(&self, with: .none)
                } else {
                    read(line, in: part, &code)
                }
            }
        }
        end(&self, with: .none)
        for section in data.keys { data[section]?.sort() }
    }

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
            guard let line = Self.withoutPlaces(line) else { break }
            if line.starts(with: "\t\t".utf8), line.firstRange(of: Array("Qo_".utf8)) != nil {
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

    /// A line without the place that a jump or call leads to, which its name and distance say better, without the place in a section that
    /// it refers to, and without what only fills up.
    private static func withoutPlaces(_ line: Slice<UnsafeRawBufferPointer>) -> [UInt8]? {
        let bytes = Array(line)
        if bytes.firstRange(of: Array("\tnop".utf8)) != nil { return nil }
        if bytes.starts(with: "\t\tR_".utf8) {
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
        return Array(bytes[...start]) + withoutNumbers(bytes[bracket...])
    }

    /// The functions and data that are others, and what only one of both exports, ordered.
    func differences(from other: ObjectCode) -> [Name] {
        // Which types the one sees through and the other does not changes nearly every function.
        guard opaque == other.opaque else { return [] }
        let names = exported.symmetricDifference(other.exported)
        let changed = functions.filter { name, own in other.functions[name].map { $0 != own } ?? false }.keys
        // What is needed here and not there makes a section longer; whoever needs it is a function.
        let words = data.filter { section, own in
            other.data[section].map { $0.count == own.count && $0 != own } ?? false
        }.keys
        return names.union(changed).union(words.map { Name("(data of \($0.text))") }).sorted()
    }
}

extension ProductFolder {
    /// The objects that are linked into programs and libraries, relative to the folder.
    func linkedObjects() -> Set<Name> {
        let products = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
            $0.hasSuffix(".product")
        }
        var objects: Set<Name> = []
        for product in products {
            guard let list = FileManager.default.contents(atPath: "\(path)/\(product)/Objects.LinkFileList") else {
                continue
            }
            for line in list.split(separator: UInt8(ascii: "\n")) {
                // Linkers read quoted words.
                let words = Array(line).filter { $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\"") }
                guard let object = relative(words), !object.hasSuffix(".swiftmodule.o") else { continue }
                objects.insert(Name(String(decoding: object, as: UTF8.self)))
            }
        }
        return objects
    }
}
