import Properties
import XCTest

/// XCTest makes the cases of all tests, with their properties, before the first one runs.
final class FirstTests: XCTestCase {
    let subject = Subject(2)
    let table = Shared.table

    func testA_looksAtTheSubject() {
        XCTAssertEqual(subject.number, 2)
    }

    func testB_looksAtTheTable() {
        XCTAssertEqual(table.count, 3)
    }
}

class BaseTests: XCTestCase {
    let isOdd = Subject(3).isOdd()
    let own: Int

    required init(name: String, testClosure: @escaping (XCTestCase) throws -> Void) {
        own = onlyInAnInitialiser()
        super.init(name: name, testClosure: testClosure)
    }
}

/// Has the properties of its superclass, too.
final class DerivedTests: BaseTests {
    func testC_looksAtWhatIsInherited() {
        XCTAssertTrue(isOdd)
    }
}

final class OtherTests: XCTestCase {
    func testD_looksAtNothing() {}
}
