import Gate
import Repository
import RunModel
import Storage

extension RunStore {
    /// The runs of a commit's tree, as `runs(ofTree:at:project:limit:)` orders them.
    ///
    /// For the first commit of a history those come last that were kept before it was made, under the project's name of then.
    func runs(
        of commit: ObjectID, tree: ObjectID, at folder: String?, project: String?, limit: Int
    ) throws(StorageError) -> [RunSummary] {
        let names = project.map { ProjectName.names(of: $0, for: commit).map(Optional.some) } ?? [nil]
        var runs: [RunSummary] = []
        for name in names {
            runs += try self.runs(ofTree: tree.hexadecimal, at: folder, project: name, limit: limit)
        }
        return runs
    }
}
