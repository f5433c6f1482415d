import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

@Suite struct CoverageMapTests {
    /// A 64-bit ELF file with these sections; the last one gets the names of all.
    private func object(_ sections: [(name: String, content: [UInt8])], flags: Int = 0) -> [UInt8] {
        var names: [UInt8] = []
        var offsets: [Int] = []
        for section in sections {
            offsets.append(names.count)
            names += Array(section.name.utf8) + [0]
        }
        let contents = sections.dropLast().map(\.content) + [names]
        var body: [UInt8] = []
        var headers: [UInt8] = []
        for (offset, content) in zip(offsets, contents) {
            headers += bytes(offset, 4) + bytes(1, 4) + bytes(flags, 8) + bytes(0, 8) + bytes(64 + body.count, 8)
            headers += bytes(content.count, 8) + bytes(0, 24)
            body += content
        }
        var header: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + bytes(0, 34) + bytes(64 + body.count, 8) + bytes(0, 12)
        header += bytes(sections.count, 2) + bytes(sections.count - 1, 2)
        return header + body + headers
    }

    private func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }

    private func map(version: Int = 6) -> [UInt8] { bytes(0, 12) + bytes(version, 4) + bytes(0, 8) }

    /// The record of a function that takes so many bytes behind its head.
    private func record(_ size: Int) -> [UInt8] { bytes(7, 8) + bytes(size, 4) + bytes(0, 16) + bytes(0, size) }

    private func read(_ object: some Collection<UInt8>) -> CoverageMap? {
        Array(object).withUnsafeBytes { CoverageMap(in: $0) }
    }

    private func functions(_ sections: [UInt8]..., version: Int = 6, flags: Int = 0) -> Int? {
        let functions = sections.map { ("__llvm_covfun", $0) }
        return read(object([("__llvm_covmap", map(version: version))] + functions + [(".strtab", [])], flags: flags))?
            .functions
    }

    @Test func `the section of the map is found by its name`() {
        #expect(read(object([("", []), (".text", []), ("__llvm_covmap", map()), (".strtab", [])]))?.functions == 0)
        #expect(read(object([("", []), (".text", []), ("__llvm_covmap_not", map()), (".strtab", [])])) == nil)
        #expect(read(object([("", []), (".text", []), (".strtab", [])])) == nil)
    }

    @Test func `what a section takes in a file is known`() throws {
        let folder = try TemporaryFolder()
        func size(_ bytes: [UInt8]) throws -> Int? {
            let path = "\(folder.path)/\(UUID())"
            try Data(bytes).write(to: URL(filePath: path))
            return ObjectSections.size(of: "swift5_tests", inFileAt: path)
        }
        let records = ("swift5_tests", bytes(0, 24))
        #expect(try size(object([("", []), records, (".strtab", [])])) == 24)
        #expect(try size(object([("", []), ("swift5_tests", []), (".strtab", [])])) == 0)
        #expect(try size(object([("", []), ("swift5_tests2", [1]), (".strtab", [])])) == 0)
        #expect(try size(object([("", []), records, (".strtab", [])], flags: 0x800)) == nil)
        #expect(try size(Array("#!/bin/sh".utf8)) == nil)
        #expect(ObjectSections.size(of: "swift5_tests", inFileAt: "\(folder.path)/none") == nil)
    }

    @Test func `functions are counted, however many lie in one section`() {
        #expect(functions(record(9)) == 1)
        #expect(functions(record(9), record(20), record(4)) == 3)
        #expect(functions(record(4) + record(9) + bytes(0, 3) + record(1)) == 3)
    }

    @Test func `what is not understood is not counted`() {
        #expect(functions(record(9), version: 2) == nil)
        #expect(functions(record(9), version: 7) == nil)
        #expect(functions(record(9), flags: 0x800) == nil)
        #expect(functions(record(9).dropLast()) == nil)
        #expect(functions(record(9), bytes(0, 11)) == nil)
    }

    @Test func `a file cut at any byte, or with any byte changed, is answered without a trap`() {
        let whole = object([
            ("", []), ("__llvm_covmap", map()), ("__llvm_covfun", record(4)), ("__llvm_covfun", record(9)),
            (".strtab", []),
        ])
        #expect(read(whole)?.functions == 2)
        #expect((0..<whole.count).filter { read(whole.prefix($0)) != nil } == [])
        for place in whole.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var changed = whole
                changed[place] = value
                _ = read(changed)
            }
        }
    }

    @Test func `sources with a map are listed, generated ones are not, and the functions of both are counted`() throws {
        let folder = try TemporaryFolder()
        let one = object([("__llvm_covmap", map()), ("__llvm_covfun", record(9)), (".strtab", [])])
        let mapped = try folder.write(Data(one), to: "Core.build/a.swift.o")
        let plain = try folder.write(Data(object([(".text", []), (".strtab", [])])), to: "Core.build/b.swift.o")
        let generated = try folder.write(Data(one), to: "Core.build/generated.swift.o")
        _ = try folder.write(
            #"{"/src/Sources/Core/a.swift": {"object": "\#(mapped)"}, "/src/Sources/Core/b.swift": {"object": "\#(plain)"}, "#
                + #""/scratch/generated.swift": {"object": "\#(generated)"}}"#,
            to: "Core.build/output-file-map.json")
        let module = Module(
            name: "Core", compilerName: "Core", kind: .library, isSwift: true, path: "Sources/Core",
            sources: ["a.swift", "b.swift"], dependencies: [])
        let list = try ObjectList(modules: [module], packageRoot: "/src", productsPath: folder.path)
        let maps = try list.maps()
        #expect(list.sources(compiledTo: maps.mapped) == ["Sources/Core/a.swift"])
        #expect(maps.functions == 2)
        _ = try folder.write(Data(one.dropLast(64)), to: "Core.build/generated.swift.o")
        #expect(try list.maps().functions == 1)
        let unknown = object([("__llvm_covmap", map(version: 9)), (".strtab", [])])
        _ = try folder.write(Data(unknown), to: "Core.build/generated.swift.o")
        #expect(try list.maps().functions == nil)
    }
}
