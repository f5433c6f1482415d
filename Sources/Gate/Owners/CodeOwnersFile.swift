public import RunModel

/// Whose rules a `CODEOWNERS` file follows.
public enum CodeOwnersForm: String, Sendable, Hashable, Codable, CaseIterable {
    /// GitHub's: patterns like those of `.gitignore`, of which the last that matches counts.
    case gitHub = "github"
    /// GitLab's: sections, each of which names owners.
    case gitLab = "gitlab"
    /// Gitea's and Forgejo's: regular expressions, all of which count.
    case gitea

    /// The form that a forge reads; `nil` for one that has no such file.
    init?(_ forge: ForgeRepository.Kind?) {
        switch forge {
        case .gitHub: self = .gitHub
        case .gitLab: self = .gitLab
        case .gitea: self = .gitea
        case .bitbucket, nil: return nil
        }
    }

    /// Where the forge looks for the file: the first one counts. Relative to the top of the repository.
    public var places: [String] {
        switch self {
        case .gitHub: ownPlaces + Self.commonPlaces
        case .gitLab, .gitea: Self.commonPlaces + ownPlaces
        }
    }

    /// The places where no other forge looks.
    private var ownPlaces: [String] {
        switch self {
        case .gitHub: [".github/CODEOWNERS"]
        case .gitLab: [".gitlab/CODEOWNERS"]
        case .gitea: [".gitea/CODEOWNERS", ".forgejo/CODEOWNERS"]
        }
    }

    /// The places where every forge looks.
    private static let commonPlaces = ["CODEOWNERS", "docs/CODEOWNERS"]

    /// Whether a file is at a place where no other forge looks.
    fileprivate func isAlone(at path: String) -> Bool { ownPlaces.contains { Name($0) == Name(path) } }
}

/// A `CODEOWNERS` file as a commit has it. It is kept with a run, so that owners are shown without git.
public struct CodeOwnersFile: Sendable, Hashable, Codable {
    /// The largest file that is read, in bytes.
    public static let mostBytes = 1 << 20

    /// Where it lies, relative to the top of the repository.
    public var path: String
    /// Whose rules it follows; `nil` if nobody can tell.
    public var form: CodeOwnersForm?
    /// What it says; empty where nothing is read from it.
    public var text: String
    /// The commit that has it, which the run is compared with; `nil` for a file of the tested tree itself.
    public var commit: String?
    /// The package's folder below the top of the repository; empty for the top itself.
    public var folder: String
    /// Why nothing is read from it; `nil` where it is.
    public var fault: String?

    package init(
        path: String, form: CodeOwnersForm?, text: String, commit: String? = nil, folder: String = "",
        fault: String? = nil
    ) {
        self.path = path
        self.form = form
        self.text = text
        self.commit = commit
        self.folder = folder
        self.fault = fault
    }

    /// Every place where a forge looks for the file.
    public static let places: [String] = {
        var places: [String] = []
        for place in CodeOwnersForm.allCases.flatMap(\.places) where !places.contains(place) { places.append(place) }
        return places
    }()

    /// A file that was found.
    public struct Candidate: Sendable, Hashable {
        /// One of `places`.
        public var path: String
        /// Its content.
        public var bytes: [UInt8]

        package init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
    }

    /// Chooses the file that counts, and tells its form: as the settings say, or the forge that the repository is on, or the folder
    /// that the file lies in, or what only one form can say. What none of these tells is not guessed.
    ///
    /// - Parameters:
    ///   - candidates: The files at `places`.
    ///   - form: What the settings say; `nil` where they say nothing.
    ///   - forge: The forge that the repository is on; `nil` if unknown.
    ///   - commit: The commit that has the files; `nil` for those of the tested tree itself.
    ///   - folder: The package's folder below the top of the repository.
    /// - Returns: `nil` where there is no file.
    public static func choose(
        among candidates: [Candidate], form: CodeOwnersForm?, forge: ForgeRepository.Kind?, commit: String?,
        folder: String
    ) -> CodeOwnersFile? {
        func file(of form: CodeOwnersForm) -> Candidate? {
            form.places.lazy.compactMap { place in candidates.first { Name($0.path) == Name(place) } }.first
        }
        func read(_ candidate: Candidate, as form: CodeOwnersForm?, fault: String? = nil) -> CodeOwnersFile {
            var file = CodeOwnersFile(path: candidate.path, form: form, text: "", commit: commit, folder: folder)
            file.take(candidate.bytes)
            if let fault { (file.text, file.fault) = ("", fault) }
            return file
        }
        if let form { return file(of: form).map { read($0, as: form) } }
        if let form = CodeOwnersForm(forge), let found = file(of: form) { return read(found, as: form) }
        let forms = CodeOwnersForm.allCases.filter { form in candidates.contains { form.isAlone(at: $0.path) } }
        if let form = forms.first, let found = file(of: form) {
            if forms.count == 1 { return read(found, as: form) }
            let fault = "there are files of several forges; 'owners.form' in .kanmon.yml says which counts"
            return read(found, as: nil, fault: fault)
        }
        guard let found = file(of: .gitHub) else { return nil }
        var file = read(found, as: nil)
        guard file.fault == nil else { return file }
        file.form = OwnerRules.tellingForm(of: file.text)
        if file.form == nil {
            (file.text, file.fault) = ("", "nothing tells its form; 'owners.form' in .kanmon.yml says it")
        }
        return file
    }

    private mutating func take(_ bytes: [UInt8]) {
        guard bytes.count <= Self.mostBytes else {
            fault = "it has more than \(Figures.grouped(Self.mostBytes)) bytes"
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            fault = "it is not UTF-8"
            return
        }
        self.text = text
    }
}
