import Foundation
import RunModel

/// What an object file means, as the toolchain's disassembler prints it: the instructions of each function with the names that they refer
/// to, and the data of each section, without the places where all of it lies.
struct ObjectCode: Sendable, Hashable {
    /// A hash of the code of each function by its symbol, and of the data of each section by its name in parentheses.
    private(set) var parts: [Name: String] = [:]

    /// The arguments of `llvm-objdump` for this.
    static let arguments = ["--disassemble", "--reloc", "--full-contents", "--no-show-raw-insn", "--no-leading-addr"]

    /// Reads what it printed.
    init(disassembly: Data) {
        var name: Name?
        var content = PiecewiseHash()
        func end(_ parts: inout [Name: String]) {
            if let name { parts[name] = content.hexadecimal }
            (name, content) = (nil, PiecewiseHash())
        }
        disassembly.withUnsafeBytes { text in
            for line in text.split(separator: UInt8(ascii: "\n")) {
                if line.first == UInt8(ascii: "<"), line.suffix(2).elementsEqual(">:".utf8) {
                    end(&parts)
                    name = Name(String(decoding: line.dropFirst().dropLast(2), as: UTF8.self))
                } else if line.starts(with: Self.contents) || line.starts(with: Self.code) {
                    end(&parts)
                    let section = String(decoding: line.dropFirst(Self.contents.count).dropLast(), as: UTF8.self)
                    if line.starts(with: Self.contents), Self.isData(section) { name = Name("(data of \(section))") }
                } else if name != nil, let line = Self.withoutPlaces(line) {
                    content.add(line)
                }
            }
        }
        end(&parts)
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

    /// A line without the place that a jump or call leads to, which its name and distance say better, and without what only fills up.
    private static func withoutPlaces(_ line: Slice<UnsafeRawBufferPointer>) -> [UInt8]? {
        let bytes = Array(line)
        if bytes.firstRange(of: Array("\tnop".utf8)) != nil { return nil }
        guard let bracket = bytes.firstIndex(of: UInt8(ascii: "<")), bracket > 0,
            bytes[bracket - 1] == UInt8(ascii: " ")
        else { return bytes }
        let start = bytes[..<(bracket - 1)].lastIndex { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") } ?? 0
        return Array(bytes[...start]) + bytes[bracket...]
    }

    /// The functions and data that are others, or in one of both only, ordered.
    func differences(from other: ObjectCode) -> [Name] {
        Set(parts.keys).union(other.parts.keys).filter { parts[$0] != other.parts[$0] }.sorted()
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
