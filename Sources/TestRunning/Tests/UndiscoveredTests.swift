import Foundation
import Mutation
import RunModel

/// Tests that sources declare and that were not discovered, so that nobody runs them.
///
/// A class has tests from another one that SwiftPM does not find on Linux: where the class declares none of its own, or the other
/// class is of another module. They are found only where all classes in between are the package's. A main that somebody wrote may also
/// lack tests of the classes themselves.
struct UndiscoveredTests: Sendable, Hashable {
    /// What is declared and not in the list, ordered.
    let missing: [TestID]

    /// A source of the package.
    struct Source: Sendable {
        /// The name that the compiler knows the module by.
        var module: String
        /// Whether it is of a test target.
        var isTest: Bool
        var bytes: [UInt8]
    }

    /// Compares the tests that classes of test targets have with those that were listed.
    ///
    /// - Parameter ownToo: Whether tests count, too, that a class declares itself.
    init(in sources: [Source], listed: Set<TestID>, ownToo: Bool) {
        // Most packages have no class that could inherit a test: then no source is read more closely.
        let wanted = Self.heirs(in: sources, ownToo: ownToo)
        var classes: [Name: [TestClass]] = [:]
        for source in sources where wanted.contains(where: { TestClass.isNamed($0, in: source.bytes) }) {
            for (name, found) in TestClass.declared(in: source) {
                if let place = classes[name]?.firstIndex(where: { $0.module == found.module }) {
                    classes[name]?[place].add(found)
                } else {
                    classes[name, default: []].append(found)
                }
            }
        }
        var missing: Set<TestID> = []
        for candidate in classes.values.joined() where candidate.isTest && candidate.parent != nil {
            guard let inherited = candidate.inherited(among: classes) else { continue }
            let own = Set(candidate.tests.map { Name($0) })
            for test in inherited.filter({ !own.contains($0) }) + (ownToo ? Array(own) : []) {
                let id = TestID(module: candidate.module, suite: candidate.name, name: test.text)
                if !listed.contains(id) { missing.insert(id) }
            }
        }
        self.missing = missing.sorted()
    }

    /// The classes that may have another one between them and XCTestCase, and those others; or all of XCTest.
    private static func heirs(in sources: [Source], ownToo: Bool) -> Set<Name> {
        var parents: [Name: Set<Name>] = [:]
        for head in sources.flatMap({ TestClass.heads(in: $0.bytes) }) {
            parents[head.name, default: []].insert(head.parent)
        }
        let root = Name("XCTestCase")
        var ofXCTest: Set = [root]
        var new: Set = [root]
        while !new.isEmpty {
            new = Set(parents.filter { !ofXCTest.contains($0.key) && !$0.value.isDisjoint(with: new) }.keys)
            ofXCTest.formUnion(new)
        }
        if ownToo { return ofXCTest.subtracting([root]) }
        let heirs = ofXCTest.filter { !(parents[$0] ?? []).subtracting([root]).isDisjoint(with: ofXCTest) }
        return heirs.union(heirs.flatMap { parents[$0] ?? [] }.filter { $0 != root && ofXCTest.contains($0) })
    }
}
