import Foundation
import RunModel

/// The objects that are linked into the programs and libraries of a build.
struct LinkedObjects: Sendable, Hashable {
    /// Their paths, relative to the folder of the products. What lies elsewhere the build has not made.
    private(set) var objects: Set<Name> = []
    /// The programs and libraries of which nobody knows what they are linked of.
    private(set) var unknown: Set<Name> = []

    private static let suffix = ".product"

    /// Reads the lists that SwiftPM makes for linkers.
    init(of folder: ProductFolder) {
        // Where nothing can be listed no object is found, which is said of all of them.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasSuffix(Self.suffix) {
            let list = FileManager.default.contents(atPath: "\(folder.path)/\(name)/Objects.LinkFileList")
            let lines: [Data] = list?.split(separator: UInt8(ascii: "\n")) ?? []
            // Nothing is linked of nothing.
            if lines.isEmpty { unknown.insert(Name(String(name.dropLast(Self.suffix.count)))) }
            for line in lines {
                // Linkers read quoted words.
                let words = Array(line).filter { $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\"") }
                guard let object = folder.relative(words), !object.hasSuffix(".swiftmodule.o") else { continue }
                objects.insert(Name(String(decoding: object, as: UTF8.self)))
            }
        }
    }

    /// What the comparison of these, of an incremental build, with those of a clean one says nothing about.
    func gaps(beside clean: LinkedObjects) -> [Gap] {
        var gaps: [Gap] = []
        // Tests are linked of some.
        if clean.objects.isEmpty {
            gaps.append(
                Gap(.staleBuild, detail: "which objects are linked cannot be found, so that nothing was compared"))
        }
        for product in unknown.union(clean.unknown).sorted() {
            gaps.append(
                Gap(
                    .staleBuild, subject: product.text,
                    detail: "which objects it is linked of cannot be found, so that not all were compared"))
        }
        return gaps
    }
}
