import KitTests
import XCTest

XCTMain([testCase(KitTests.allTests)])
