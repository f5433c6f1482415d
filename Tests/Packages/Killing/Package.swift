// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Killing",
    targets: [
        .target(name: "Killing"),
        .executableTarget(name: "waiting-tool", dependencies: ["Killing"]),
        .testTarget(name: "KillingTests", dependencies: ["Killing", "waiting-tool"]),
    ]
)
