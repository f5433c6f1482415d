// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Sabotage",
    targets: [
        .target(name: "App"),
        .target(name: "Trouble"),
        .testTarget(name: "AppTests", dependencies: ["App", "Trouble"]),
    ],
    swiftLanguageModes: [.v5]
)
