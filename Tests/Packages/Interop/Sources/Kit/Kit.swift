/// One.
public func one() -> Int { 1 }
