/// Two times a number.
public func shared(_ x: Int) -> Int {
    2 * x
}
