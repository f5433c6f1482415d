import RunModel
import Testing

@testable import CodeCoverage

@Suite struct CoverageMappingTests {
    private let fixture: MappingFixture

    /// Texts, and the lower half of their MD5 as another program computes it.
    private static let digests: [(String, UInt64)] = [
        ("", 0x04B2_008F_D98C_1DD4), ("abc", 0xB04F_D23C_9850_0190),
        (String(repeating: "1234567890", count: 8), 0x55C9_E32B_A2F4_ED57),
        (String(repeating: "a", count: 55), 0x22A1_F9DF_B672_17EF),
        (String(repeating: "a", count: 56), 0xB028_F803_C78A_0C3B),
        (String(repeating: "a", count: 63), 0x18D6_5391_F321_65B0),
        (String(repeating: "a", count: 64), 0x4971_B580_D442_4801),
    ]

    init() throws { fixture = try MappingFixture() }

    private func fault(_ change: (inout MappingFixture) -> Void) -> MappingFault? {
        var changed = fixture
        change(&changed)
        do throws(MappingFault) {
            _ = try changed.read()
            return nil
        } catch {
            return error
        }
    }

    @Test func `what is exported is what llvm-cov exports, byte for byte`() throws {
        let (bytes, _) = try fixture.read()
        #expect(String(decoding: bytes, as: UTF8.self) == String(decoding: fixture.export, as: UTF8.self))
        #expect(bytes == fixture.export)
    }

    @Test func `what it says is what a reader finds in it`() throws {
        let (_, export) = try fixture.read()
        #expect(try CoverageFixture.read(fixture.export) == export)
    }

    @Test func `an object that is there twice, and one without a map, change nothing`() throws {
        var more = fixture
        more.objects.append(fixture.objects[1])
        let names = try #require(fixture.objects[0].firstRange(of: Array("__llvm_covmap\0".utf8)))
        more.objects.append(fixture.objects[0].replacing(at: names.lowerBound, with: Array("__llvm_novmap".utf8)))
        #expect(try more.read().bytes == fixture.export)
    }

    @Test func `profiles are added up in any order, and functions that none knows were never called`() throws {
        var other = fixture
        other.profiles.reverse()
        #expect(try other.read().bytes == fixture.export)
        other.profiles = []
        let export = try other.read().export
        #expect(export.functions.map(\.count) == Array(repeating: ExecutionCount(0), count: 8))
        #expect(export.files.map(\.regions) == [CoverageTally(total: 13), CoverageTally(total: 9)])
    }

    @Test func `a profile that is cut anywhere is a fault`() {
        for count in fixture.profiles[0].indices {
            #expect(fault { $0.profiles[0] = Array($0.profiles[0][..<count]) } != nil)
        }
    }

    @Test func `an object that is cut anywhere is a fault`() {
        // The table of sections is the last of it.
        for count in stride(from: 0, to: fixture.objects[0].count, by: 7) {
            #expect(fault { $0.objects[0] = Array($0.objects[0][..<count]) } != nil)
        }
    }

    @Test func `bytes that are others are read or are a fault, and are never more than that`() {
        for index in fixture.profiles[0].indices {
            for mask: UInt8 in [0x01, 0x80, 0xFF] {
                _ = fault { $0.profiles[0][index] ^= mask }
            }
        }
        for index in stride(from: 0, to: fixture.objects[0].count, by: 3) {
            _ = fault { $0.objects[0][index] ^= index.isMultiple(of: 2) ? 0xFF : 0x41 }
        }
    }

    @Test func `other versions and formats are left to the tools`() throws {
        #expect(fault { $0.profiles[0][8] = 9 } == .format)
        // The highest byte of the version tells a variant.
        #expect(fault { $0.profiles[0][15] = 0x10 } == .format)
        #expect(fault { $0.profiles[0] += [0] } == .format)
        #expect(fault { $0.profiles[0] += $0.profiles[1] } == .format)
        #expect(fault { $0.profiles[0] = [] } == .truncated)
        // 32 bits, and the highest byte first.
        #expect(fault { $0.objects[0][4] = 1 } == .format)
        #expect(fault { $0.objects[0][5] = 2 } == .format)
        #expect(fault { $0.objects[0] = Array("!<arch>\n".utf8) + Array(repeating: 0, count: 64) } == .format)
        let map = try #require(fixture.objects[1].mapPlace)
        #expect(fault { $0.objects[1][map + 12] = 5 } == .format)
        #expect(fault { $0.objects[1][map + 12] = 7 } == .format)
    }

    @Test func `a profile of another build, and counters that no run counts, are left to the tools`() throws {
        // The first function of the profile: its structure, how many counters it has, and its first counter.
        let entries = try #require(fixture.profiles[0].entriesPlace)
        #expect(fault { $0.profiles = [$0.profiles[0].replacing(at: entries + 8, with: [1])] } == .misfit)
        #expect(fault { $0.profiles = [$0.profiles[0].replacing(at: entries + 48, with: [1])] } == .misfit)
        #expect(fault { $0.profiles[0][entries + 48] = 1 } == .misfit)
        #expect(fault { $0.profiles[0][entries + 48] = 0 } == .format)
        #expect(fault { $0.profiles[0][entries + 52] = 1 } == .format)
        let counters = try #require(fixture.profiles[0].countersPlace)
        #expect(fault { $0.profiles[0][counters + 7] = 1 } == .limit)
    }

    @Test func `a profile that would take more than it has is left to the tools`() {
        func fault(_ profile: [UInt8]) -> MappingFault? { self.fault { $0.profiles.append(profile) } }
        #expect(fault(RawProfileBytes.make(structures: 8)) == nil)
        #expect(fault(RawProfileBytes.make(structures: 9)) == .limit)
        #expect(fault(RawProfileBytes.make(structures: 2, sharing: true)) == .format)
    }

    @Test func `names that the profile does not have are left to the tools`() throws {
        let names = try #require(fixture.profiles[0].namesPlace)
        #expect(fault { $0.profiles[0][names + 4] ^= 0xFF } == .packing)
        // Where its last function is called, the names of its object are there; without them nobody knows.
        let size = fixture.profiles[0].count - names
        let none = Array(fixture.profiles[0][..<names]).replacing(at: 72, with: [0, 0, 0, 0])
        #expect(size > 0)
        #expect(fault { $0.profiles = [none] } == .names)
        // At a function without a name the tools stop, and leave out those behind it.
        let entries = try #require(fixture.profiles[0].entriesPlace)
        #expect(fault { $0.profiles[0][entries] ^= 1 } == .names)
    }

    @Test(arguments: digests)
    func `a name goes by half of its MD5`(name: String, digest: UInt64) {
        #expect(Array(name.utf8).withUnsafeBytes { NameDigest.of($0) } == digest)
    }
}

extension [UInt8] {
    private func number(at place: Int) -> Int { self[place..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) } }

    /// Where the functions of a raw profile lie.
    fileprivate var entriesPlace: Int? { count > 128 ? 128 + number(at: 16) : nil }
    /// Where its counters lie.
    fileprivate var countersPlace: Int? { entriesPlace.map { $0 + number(at: 24) * 64 + number(at: 32) } }
    /// Where its names lie.
    fileprivate var namesPlace: Int? {
        countersPlace.map { $0 + number(at: 40) * 8 + number(at: 48) + number(at: 56) + number(at: 64) }
    }
    /// Where the map of an object lies.
    fileprivate var mapPlace: Int? {
        withUnsafeBytes { file in
            do throws(MappingFault) {
                let tables = try ObjectLayout.tables(
                    UnsafeRawBufferPointer(rebasing: file.prefix(64)), fileSize: file.count)
                let sections = UnsafeRawBufferPointer(rebasing: file[tables.sections])
                let names = try ObjectLayout.names(tables, sections, fileSize: file.count)
                let parts = try ObjectLayout.parts(
                    sections, UnsafeRawBufferPointer(rebasing: file[names]), fileSize: file.count)
                return parts?.map.lowerBound
            } catch {
                return nil
            }
        }
    }
}
