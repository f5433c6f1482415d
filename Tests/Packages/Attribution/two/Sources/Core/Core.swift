import Shared

/// Two times a number, if it is one.
public func twice(_ x: Int) -> Int {
    x < 0 ? 0 : shared(x)
}
