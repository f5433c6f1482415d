public import RunModel

/// The programs of one toolchain, as absolute paths in one folder.
public struct ToolPaths: Sendable, Hashable {
    /// The `swift` command.
    public var swift: String
    /// The Swift compiler.
    public var swiftc: String
    /// The C compiler.
    public var clang: String
    /// Merges profiles.
    public var llvmProfdata: String
    /// Exports coverage.
    public var llvmCov: String
    /// Demangles symbols. Without it, functions are named by their symbols.
    public var swiftDemangle: String

    /// Names the programs in a folder, without checking them.
    public init(directory: String) {
        swift = "\(directory)/swift"
        swiftc = "\(directory)/swiftc"
        clang = "\(directory)/clang"
        llvmProfdata = "\(directory)/llvm-profdata"
        llvmCov = "\(directory)/llvm-cov"
        swiftDemangle = "\(directory)/swift-demangle"
    }

    /// All of them.
    var all: [String] { [swift, swiftc, clang, llvmProfdata, llvmCov] }
}

extension Toolchain {
    /// The same toolchain for a package that is built in another way; SwiftPM's own build system is requested where it
    /// has a name.
    public func building(_ choice: BuildChoice, by system: BuildSystem) -> Toolchain {
        var toolchain = building(choice)
        if system != .native { toolchain.buildSystem = system }
        return toolchain
    }
}

/// A toolchain found on this machine.
public struct ToolchainInstallation: Sendable, Hashable {
    /// Where its programs are.
    public var tools: ToolPaths
    /// Which versions they have.
    public var toolchain: Toolchain
}
