// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Attaching",
    targets: [
        .target(name: "Notes"),
        .testTarget(name: "NotesTests", dependencies: ["Notes"]),
    ]
)
