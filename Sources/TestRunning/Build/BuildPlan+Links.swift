extension BuildPlan {
    /// Whether a linker may read files other than those that SwiftPM makes or the toolchain has.
    func hasOpenLinks(_ products: ProductFolder) -> Bool {
        commands.filter { $0.isLink }.contains { command in
            var words = command.arguments.dropFirst().map { String(decoding: $0, as: UTF8.self) }[...]
            while let word = words.popFirst() {
                switch word {
                case "-L", "-o", "-rpath":
                    guard let path = words.popFirst(), products.relative(Array("\(path)/".utf8)) != nil else {
                        return true
                    }
                case "-module-name", "-target", "-Xllvm", "-j": _ = words.popFirst()
                case "-Xlinker":
                    guard let word = words.popFirst(), word == "defs" || Self.harmless.contains(where: word.hasPrefix)
                    else { return true }
                case "-profile-coverage-mapping", "-profile-generate", "-emit-executable", "-emit-library", "-g",
                    "-static-stdlib", "-static-executable", "-parse-as-library":
                    continue
                case _ where word.hasPrefix("@"):
                    guard products.relative(Array(word.utf8.dropFirst())) != nil else { return true }
                case _ where word.hasPrefix("-l") || word.hasPrefix("-instrprof"): continue
                default: return true
                }
            }
            return false
        }
    }

    private static let harmless = ["-rpath=", "-soname", "--gc-sections", "--defsym", "-z"]
}

extension BuildPlan.Command {
    /// Whether it links a program or a library.
    fileprivate var isLink: Bool {
        arguments.contains { $0.elementsEqual("-emit-executable".utf8) || $0.elementsEqual("-emit-library".utf8) }
    }
}
