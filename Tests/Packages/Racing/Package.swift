// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Racing",
    targets: [
        .target(name: "Racing"),
        .testTarget(name: "RacingTests", dependencies: ["Racing"]),
    ]
)
