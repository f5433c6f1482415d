import RunModel

/// The identity of a test as the bytes of its parts, lent for the length of a call.
struct IdentityBytes {
    var module: UnsafeRawBufferPointer
    var suite: UnsafeRawBufferPointer
    var name: UnsafeRawBufferPointer
    var discriminator: UnsafeRawBufferPointer
}

extension TestResults {
    /// Lends the identity of a test, by its number in the order of all.
    func withIdentity<Result>(_ index: Int, _ body: (IdentityBytes) throws -> Result) rethrows -> Result {
        switch self[index] {
        case .passed(let place):
            return try passed.withIdentity(place) { module, suite, name in
                try body(
                    IdentityBytes(
                        module: module, suite: suite, name: name,
                        discriminator: UnsafeRawBufferPointer(start: nil, count: 0)))
            }
        case .detailed(let place):
            let id = detailed[place].id
            return try lend(id.module) { module in
                try lend(id.suite) { suite in
                    try lend(id.name) { name in
                        try lend(id.discriminator) { discriminator in
                            try body(
                                IdentityBytes(
                                    module: module, suite: suite, name: name, discriminator: discriminator))
                        }
                    }
                }
            }
        }
    }

    private func lend<Result>(
        _ text: String, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        var text = text
        return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
}
