/// Programs with tests, as build systems call them.
package enum TestProgram {
    /// The end of the name of a runner, of which Swift Build makes one for each test target.
    package static let runnerSuffix = "-test-runner"
    /// The end of the name of the one program that SwiftPM's own build system makes.
    private static let bundleSuffix = ".xctest"

    /// Whether a program has tests, by its path.
    package static func isNamed(by path: String) -> Bool {
        [bundleSuffix, runnerSuffix].contains(where: path.hasSuffix)
    }
}
