// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Properties",
    targets: [
        .target(name: "Properties"),
        .testTarget(name: "PropertiesTests", dependencies: ["Properties"]),
    ]
)
