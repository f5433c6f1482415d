// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Sleeping",
    targets: [
        .target(name: "Greeting"),
        .testTarget(name: "GreetingTests", dependencies: ["Greeting"]),
    ]
)
