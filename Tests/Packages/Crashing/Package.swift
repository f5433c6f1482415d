// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Crashing",
    targets: [
        .target(name: "Greeting"),
        .testTarget(name: "GreetingTests", dependencies: ["Greeting"]),
    ]
)
