import Evidence
import Foundation
import RunModel

extension RunExecution {
    /// Checks before the build that the files are still the tree that was checked out: scripts and the manifest may have changed it, in
    /// a working copy anybody, for instance while this run waited for another one, and a manifest may name folders outside of it.
    mutating func compareWithTree(_ modules: [Module]) async {
        guard let tree = request.package.tree, revision?.isExact == true else { return }
        let folders = self.folders(of: modules)
        disown(.treeNotExact, tree.strangers(folders))
        guard revision?.isExact == true else { return }
        disown(.treeChanged, await tree.differences(folders, false))
    }

    /// Checks after the tests that the sources are still those that were kept before the build. A file that was
    /// changed back is detected too, because only the kernel sets its change time. In a working copy nobody knows what was
    /// compiled meanwhile; else, and where only its mode or its links changed, it is read again.
    mutating func compareAgain(_ modules: [Module], _ stamps: [Name: FileStamp], _ kept: [KeptSource]) async {
        guard let tree = request.package.tree, revision?.isExact == true else { return }
        // The local packages are known for certain only after the build.
        disown(.treeNotExact, tree.strangers(folders(of: modules)))
        let changed = kept.filter { source in
            let path = "\(request.package.root)/\(source.path)"
            guard let stamp = stamps[Name(source.path)] else { return false }
            guard let now = FileStamp(path) else { return true }
            if stamp == now { return false }
            // Nobody else writes files in a tree that Kanmon checked out.
            let isWritten = (stamp.inode, stamp.size, stamp.modified) != (now.inode, now.size, now.modified)
            if isWritten, !tree.isLaidOut { return true }
            return FileManager.default.contents(atPath: path).map { Digest.sha256(Array($0)) } != source.sha256
        }
        disown(.treeChanged, changed.map { "\($0.path) changed during the run" })
        guard !tree.isLaidOut, revision?.isExact == true else { return }
        // Everything else that is tested. What tests add was not there after the build.
        disown(.treeChanged, await tree.differences([], true))
    }

    /// Checks after the build that nothing was added while SwiftPM looked for sources, and that no plugin changed any.
    mutating func compareAfterBuild(_ modules: [Module]) async {
        guard let tree = request.package.tree, revision?.isExact == true else { return }
        guard let local = ResolvedVersions.localPackages(scratchPath: request.scratchPath) else {
            // Files of theirs may be others than those of the tree.
            return disown(.treeChanged, ["the local packages that SwiftPM built are not known"])
        }
        disown(.treeChanged, await tree.differences(folders(of: modules) + local, true))
    }

    /// The stamps of the sources, to detect later changes.
    func stamps(of modules: [Module]) -> [Name: FileStamp] {
        guard request.package.tree != nil, revision?.isExact == true else { return [:] }
        return modules.flatMap(\.sourcePaths).reduce(into: [:]) { stamps, path in
            stamps[Name(path)] = FileStamp("\(request.package.root)/\(path)")
        }
    }

    /// The folders of the targets.
    private func folders(of modules: [Module]) -> [String] {
        modules.filter { $0.kind != .binary }.map { module in
            module.path.hasPrefix("/")
                ? module.path : module.path == "." ? request.package.root : "\(request.package.root)/\(module.path)"
        }
    }

    /// Removes the tree from the run, which is then one of a working copy. If the tree itself was to be judged,
    /// changed files leave the run undecided.
    private mutating func disown(_ code: ReasonCode, _ differences: [String]) {
        guard !differences.isEmpty else { return }
        revision?.tree = nil
        let shown = differences.prefix(3).joined(separator: ", ")
        let detail = differences.count > 3 ? "\(shown), and \(differences.count - 3) more" : shown
        if code == .treeChanged, request.package.tree?.isLaidOut == true {
            gaps.append(Gap(code, detail: detail))
        } else {
            notes.append(Note(code, detail: detail))
        }
    }
}
