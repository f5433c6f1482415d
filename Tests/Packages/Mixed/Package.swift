// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Mixed",
    targets: [
        .target(name: "Greeting"),
        // No test links it: its lines count as not executed all the same.
        .target(name: "Unlinked"),
        .executableTarget(name: "greet-tool", dependencies: ["Greeting"]),
        .testTarget(name: "GreetingTests", dependencies: ["Greeting"]),
    ]
)
