/// What is attached.
public func note() -> String { "a note\n" }
