// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Endings",
    targets: [
        .target(name: "CFork"),
        .target(name: "Endings"),
        .testTarget(name: "EndingsTests", dependencies: ["CFork", "Endings"]),
    ]
)
