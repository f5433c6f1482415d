import Foundation
import RunModel
import Testing

@testable import TestRunning

@Suite struct CoverageMapTests {
    /// A 64-bit ELF file with sections of these names; the last one holds the names.
    private func object(_ sections: [String]) -> [UInt8] {
        var names: [UInt8] = []
        var offsets: [Int] = []
        for section in sections {
            offsets.append(names.count)
            names += Array(section.utf8) + [0]
        }
        func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        let table = 64 + names.count
        var header: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + bytes(0, 34) + bytes(table, 8) + bytes(0, 12)
        header += bytes(sections.count, 2) + bytes(sections.count - 1, 2)
        let headers = offsets.flatMap { bytes($0, 4) + bytes(1, 4) + bytes(0, 16) + bytes(64, 8) + bytes(0, 32) }
        return header + names + headers
    }

    private func hasMap(_ object: some Collection<UInt8>) -> Bool {
        Array(object).withUnsafeBytes { CoverageMap.isPresent(in: $0) }
    }

    @Test func `the section of the map is found by its name`() {
        #expect(hasMap(object(["", ".text", "__llvm_covmap", ".strtab"])))
        #expect(!hasMap(object(["", ".text", "__llvm_covmap_not", ".strtab"])))
        #expect(!hasMap(object(["", ".text", ".strtab"])))
    }

    @Test func `a file cut at any byte, or with any byte changed, is answered without a trap`() {
        let whole = object(["", "__llvm_covmap", ".strtab"])
        #expect((0..<whole.count).filter { hasMap(whole.prefix($0)) } == [])
        for place in whole.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var changed = whole
                changed[place] = value
                _ = hasMap(changed)
            }
        }
    }

    @Test func `sources with a map are listed, generated ones are not`() throws {
        let folder = try TemporaryFolder()
        let mapped = try folder.write(Data(object(["", "__llvm_covmap", ".strtab"])), to: "Core.build/a.swift.o")
        let plain = try folder.write(Data(object(["", ".text", ".strtab"])), to: "Core.build/b.swift.o")
        _ = try folder.write(
            #"{"/src/Sources/Core/a.swift": {"object": "\#(mapped)"}, "/src/Sources/Core/b.swift": {"object": "\#(plain)"}, "#
                + #""/scratch/generated.swift": {"object": "\#(mapped)"}}"#,
            to: "Core.build/output-file-map.json")
        let module = Module(
            name: "Core", compilerName: "Core", kind: .library, isSwift: true, path: "Sources/Core",
            sources: ["a.swift", "b.swift"], dependencies: [])
        let list = try ObjectList(modules: [module], packageRoot: "/src", productsPath: folder.path)
        #expect(list.instrumentedSources == ["Sources/Core/a.swift"])
    }
}
