/// Each is called once, in a process that does not end in order.
package enum BeforeTheEnd {
    package static func ofXCTestByTrap() -> Int { 1 }
    package static func ofXCTestByExit() -> Int { 2 }
    package static func ofXCTestByKill() -> Int { 3 }
    package static func ofXCTestByLimit() -> Int { 4 }
    package static func ofXCTestInFork() -> Int { 5 }
    package static func ofSwiftTestingByTrap() -> Int { 6 }
    package static func ofSwiftTestingByExit() -> Int { 7 }
    package static func ofSwiftTestingByKill() -> Int { 8 }
    package static func ofSwiftTestingByLimit() -> Int { 9 }
    package static func ofSwiftTestingInFork() -> Int { 10 }
    package static func ofExitTestByTrap() -> Int { 11 }
    package static func ofExitTestInOrder() -> Int { 12 }
}

/// Is called in order, three times.
package func called() -> Int { 13 }

package func neverCalled() -> Int { 14 }
