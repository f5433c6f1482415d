// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "One",
    targets: [
        .target(name: "Core", path: "Code/Core", resources: [.copy("data.txt")], plugins: ["Maker"]),
        .executableTarget(name: "MakerTool", path: "Tools/Maker"),
        .plugin(name: "Maker", capability: .buildTool(), dependencies: ["MakerTool"]),
        .testTarget(name: "CoreTests", dependencies: ["Core"]),
    ]
)
