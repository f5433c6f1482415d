// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Waiting",
    targets: [
        .target(name: "Answers"),
        .testTarget(
            name: "AnswersTests", dependencies: ["Answers"],
            // XCTest's cases cross from one actor to another.
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
