// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Two",
    dependencies: [.package(path: "../shared")],
    targets: [
        .target(name: "Core", dependencies: [.product(name: "Shared", package: "shared")]),
        .testTarget(name: "CoreTests", dependencies: ["Core"]),
    ]
)
