// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Several",
    targets: [
        .target(name: "Greeting"),
        .testTarget(name: "FirstTests", dependencies: ["Greeting"]),
        .testTarget(name: "SecondTests", dependencies: ["Greeting"]),
    ]
)
