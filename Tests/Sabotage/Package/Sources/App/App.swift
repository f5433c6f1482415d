/// What the tests of every case look at.
public func doubled(_ number: Int) -> Int {
    number * 2
}
