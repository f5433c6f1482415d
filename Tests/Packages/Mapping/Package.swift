// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Mapping",
    targets: [
        .target(name: "Mapping"),
        .executableTarget(name: "mapping-tool", dependencies: ["Mapping"]),
        .testTarget(name: "MappingTests", dependencies: ["Mapping", "mapping-tool"]),
    ]
)
