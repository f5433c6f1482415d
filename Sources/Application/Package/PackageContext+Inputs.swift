import Repository
package import RunModel

extension PackageContext {
    /// What a run of the folder as it lies there depends on besides its files.
    package func inputs(of revision: Revision?, home: Home, process: ProcessContext) async throws -> RunInputs {
        let tree = revision?.isExact == true ? revision?.tree.flatMap { ObjectID($0) } : nil
        return try await TreeInputs(process: process, home: home, repository: repository)
            .inputs(
                of: tree, subpath: try await repository?.packageSubpath(of: root) ?? PackageSubpath(),
                settings: settings)
    }
}
