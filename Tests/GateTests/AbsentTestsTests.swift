import RunModel
import Testing

@testable import Gate

/// Which tests a full run of another tree does not have.
@Suite struct AbsentTestsTests {
    private static func result(
        _ name: String, _ library: TestingLibrary, in module: String = "ATests", file: String = "",
        _ outcome: Outcome = .passed
    ) -> TestResult {
        TestResult(
            id: TestID(module: module, suite: "S", name: name, discriminator: file), library: library, outcome: outcome)
    }

    private static let old = result("testOld", .xctest)
    private static let new = result("testNew", .xctest, .failed)
    private static let newOfTesting = result("new()", .swiftTesting, .failed)

    @Test func `a test is absent where others of its target and its library were executed`() {
        #expect([Self.new, Self.old].absent(from: [Self.old]) == [Self.new.id])
        #expect([Self.newOfTesting].absent(from: [Self.result("old()", .swiftTesting)]) == [Self.newOfTesting.id])
    }

    @Test func `of a target of which no test of the library ran nothing is known`() {
        // The other library may not have begun, or may not be read.
        #expect([Self.new, Self.newOfTesting].absent(from: [Self.old]) == [Self.new.id])
        #expect([Self.newOfTesting].absent(from: [Self.result("old()", .swiftTesting, .skipped)]) == [])
        #expect([Self.newOfTesting].absent(from: [Self.result("old()", .swiftTesting, .notRun)]) == [])
        #expect([Self.newOfTesting].absent(from: [Self.result("old()", .swiftTesting, in: "BTests")]) == [])
        #expect([Self.new].absent(from: []) == [])
    }

    @Test func `a test of the same name may be this one, whatever became of it and wherever it is declared`() {
        let others = [Self.old, Self.result("testNew", .xctest, file: "B.swift", .skipped)]
        #expect([Self.new].absent(from: others) == [])
        #expect([Self.result("testNew", .xctest, file: "A.swift", .failed)].absent(from: others) == [])
        // In another target it is another one.
        let elsewhere = Self.result("testNew", .xctest, in: "BTests")
        #expect([Self.new].absent(from: [Self.old, elsewhere]) == [Self.new.id])
    }
}
