import Foundation
import PackagePlugin

@main struct Maker: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let output = context.pluginWorkDirectoryURL.appending(path: "Made.swift")
        return [
            .buildCommand(
                displayName: "make Made.swift", executable: try context.tool(named: "MakerTool").url,
                arguments: [output.path], outputFiles: [output])
        ]
    }
}
