import RunModel
import Testing

@testable import TestRunning

@Suite struct UndiscoveredTestsTests {
    private func missing(
        _ text: String, support: String = "", listed: [String] = [], ownToo: Bool = false
    ) -> [String] {
        let sources = [
            UndiscoveredTests.Source(module: "KitTests", isTest: true, bytes: Array(text.utf8)),
            UndiscoveredTests.Source(module: "Support", isTest: false, bytes: Array(support.utf8)),
        ]
        let ids = listed.map { name in
            let parts = name.split(separator: "/")
            return TestID(module: "KitTests", suite: String(parts[0]), name: String(parts[1]))
        }
        return UndiscoveredTests(in: sources, listed: Set(ids), ownToo: ownToo).missing.map(\.qualifiedName)
    }

    @Test func `a class has the tests of those above, in whatever module of the package`() {
        let support = """
            import XCTest
            open class Contract: XCTest.XCTestCase {
                open func testContract() throws {}
                public func helps() {}
            }
            """
        let text = """
            final class A: Support.Contract, Sendable { }
            class B: A { override func testContract() {} ; func testOwn() async throws {} }
            class C<T>: B where T: Sequence {}
            class D: Foreign { func testOfD() {} }
            class E: XCTestCase { func testOfE() {} }
            """
        #expect(missing(text, support: support) == ["A/testContract", "C/testContract", "C/testOwn"])
        let listed = ["A/testContract", "C/testContract", "C/testOwn"]
        #expect(missing(text, support: support, listed: listed) == [])
    }

    @Test(arguments: [
        "class Contract<P: Parser>: XCTestCase { func testX() {} }; class J: Contract<Json> {}",
        "class Base<P: Parser, Q: Map<P, (Int) -> P>>: XCTestCase { func testX() {} }\nclass J: Base<Json, Words> {}",
        "class A<P>: XCTestCase where P: Parser { func testX() {} }; class J: A<(Json) -> Void>, Other {}",
        "typealias Base = XCTestCase; class Contract: Base { func testX() {} }; class J: Contract {}",
        "class A<P: Q>: XCTestCase { func testX() {} }\ntypealias Spec<P> = KitTests.A<P>\nclass J: Spec<Json> {}",
    ])
    func `generic parameters and other names of a class hide no tests`(text: String) {
        #expect(missing(text) == ["J/testX"])
        #expect(missing(text, listed: ["J/testX"]) == [])
    }

    @Test func `what is no test, or is not compiled on Linux, is not missed`() {
        let text = #"""
            class Base: XCTestCase {
                // func testInAComment() {}
                let text = "func testInAText() {}"
                func testTakes(_ number: Int) {}
                func testGives() -> Int { 1 }
                func testGivesNothing() -> Void {}
                private func testIsSecret() {}
                static func testIsStatic() {}
                class func testIsOfTheClass() {}
                #if os(macOS)
                    func testOnMac() {}
                #else
                    func testElsewhere() {}
                #endif
                #if canImport(Glibc)
                    func testWithGlibc() {}
                #endif
                func outer() { func testInside() {} }
            }
            extension Base { @MainActor func testInExtension() {} }
            class Heir: Base {}
            #if canImport(Darwin) || os(Windows)
                class Elsewhere: Base {}
            #endif
            """#
        #expect(
            missing(text)
                == ["Heir/testElsewhere", "Heir/testGivesNothing", "Heir/testInExtension", "Heir/testWithGlibc"])
    }

    @Test func `tests of a class itself are missed only behind a main of the package's own`() {
        let text = "class Kit: XCTestCase { func testA() {}; func testB() {} }"
        #expect(missing(text, listed: ["Kit/testA"]) == [])
        #expect(missing(text, listed: ["Kit/testA"], ownToo: true) == ["Kit/testB"])
    }

    @Test func `classes in a circle and sources without an end do no harm`() {
        #expect(missing("class A: B {}; class B: A { func testX() {} }; class C: XCTestCase {}") == [])
        #expect(missing("class A: XCTestCase { func testX() {} }; class B: A { /* ") == [])
    }
}
