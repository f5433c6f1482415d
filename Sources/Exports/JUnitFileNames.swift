import RunModel

/// Names for the files of suites that every file system accepts: letters, digits, `_`, `-` and one dot.
///
/// They are at most 200 bytes long, and a number distinguishes names that differ only in case.
struct JUnitFileNames {
    private var taken: Set<String> = []

    /// The next free name for a file of the suite of `id`.
    mutating func next(_ id: TestID) -> String {
        let base = "TEST-\(plain(id.module)).\(id.suite.isEmpty ? "free-functions" : plain(id.suite))"
        var name = base
        var number = 2
        while !taken.insert(name.lowercased()).inserted {
            name = "\(base)-\(number)"
            number += 1
        }
        return name + ".xml"
    }

    private func plain(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isPlain =
                scalar == "_" || scalar == "-" || scalar.properties.isAlphabetic
                || scalar.properties.generalCategory == .nonspacingMark
                || scalar.properties.generalCategory == .decimalNumber
            guard result.utf8.count < 90 else { break }
            result.unicodeScalars.append(isPlain ? scalar : "-")
        }
        return result
    }
}
