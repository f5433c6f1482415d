// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Interop",
    targets: [
        .target(name: "Kit"),
        .target(name: "Support"),
        .testTarget(name: "KitTests", dependencies: ["Kit", "Support"]),
    ]
)
