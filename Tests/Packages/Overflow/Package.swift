// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Overflow",
    targets: [
        .target(name: "Divisors"),
        .testTarget(name: "DivisorsTests", dependencies: ["Divisors"]),
    ]
)
