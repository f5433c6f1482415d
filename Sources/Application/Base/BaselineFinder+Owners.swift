import Foundation
import Gate
import Repository
import RunModel
import SettingsFile

extension BaselineFinder {
    /// Who owns which file: as the base says or, where there is none, the files that are tested. `nil` where neither has a `CODEOWNERS`.
    ///
    /// Nothing is judged by it: what git cannot read is a fault of the file, and no error.
    func owners(base: Base, _ files: PackageFiles) async -> CodeOwnersFile? {
        do {
            guard case .found(let found, _) = base.search, let commit = ObjectID(found.commit) else {
                return try await chosen(among: try await files.codeOwners(), base.own, commit: nil)
            }
            let candidates = try await repository.codeOwners(in: commit)
            if candidates.isEmpty { return nil }
            // The settings of the base, too: a change chooses nothing here.
            return try await chosen(among: candidates, try await settings(at: commit), commit: found.commit)
        } catch {
            return CodeOwnersFile(
                path: CodeOwnersFile.fileName, form: nil, text: "", folder: subpath.folder, fault: "\(error)")
        }
    }

    /// By whose rules the `CODEOWNERS` of a work tree is read where no settings say it, for people.
    package func ownersForm(below workTree: String) async throws -> String {
        let found = try await chosen(among: CodeOwnersFile.candidates(below: workTree), nil, commit: nil)
        guard let found else { return "(none, as there is no CODEOWNERS)" }
        return found.form?.rawValue ?? "(unknown: \(found.fault ?? "nothing tells it"))"
    }

    private func chosen(
        among candidates: [CodeOwnersFile.Candidate], _ settings: Settings?, commit: String?
    ) async throws -> CodeOwnersFile? {
        guard !candidates.isEmpty else { return nil }
        let form = settings?.ownersForm.value
        var forge = process.build?.repository?.kind
        if form == nil, forge == nil { forge = try await repository.forge()?.kind }
        return CodeOwnersFile.choose(
            among: candidates, form: form, forge: forge, commit: commit, folder: subpath.folder)
    }
}

extension GitRepository {
    /// The `CODEOWNERS` files of a commit or tree at every place where a forge looks.
    func codeOwners(in tree: ObjectID) async throws -> [CodeOwnersFile.Candidate] {
        let top = Set(try await names(in: tree, of: "").compactMap(\.text).map { Name($0) })
        var found: [CodeOwnersFile.Candidate] = []
        for place in CodeOwnersFile.places where top.contains(Name(place.prefix { $0 != "/" })) {
            guard let bytes = try await file(at: place, in: tree) else { continue }
            found.append(CodeOwnersFile.Candidate(path: place, bytes: bytes))
        }
        return found
    }
}

extension CodeOwnersFile {
    /// The name of the file, whatever folder it lies in.
    static let fileName = "CODEOWNERS"

    /// The files below a folder at every place where a forge looks. Links are not followed: who checked out the files decides where
    /// they lead. A file that is too large is read as far as it shows that.
    static func candidates(below top: String) -> [Candidate] {
        places.compactMap { place in
            let path = "\(top)/\(place)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard attributes?[.type] as? FileAttributeType == .typeRegular,
                let handle = FileHandle(forReadingAtPath: path)
            else { return nil }
            defer { try? handle.close() }
            let bytes = (try? handle.read(upToCount: mostBytes + 1)) ?? Data()
            return Candidate(path: place, bytes: Array(bytes))
        }
    }
}
