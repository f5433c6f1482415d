import RunModel

extension BaseComparison {
    /// Code that local packages have taken out of what is measured, and local packages that are new.
    mutating func compareLocalPackages() {
        let new = newLocalPackages
        for package in run.localPackages where package.modules != [] {
            let moved = (package.modules ?? []).filter(wasMeasured)
            let isNew = new.contains { Name($0) == Name(package.path) }
            guard isNew || !moved.isEmpty else { continue }
            note(
                GateChange(
                    .codeInLocalPackage, subject: package.path,
                    before: moved.isEmpty ? "no such package" : "\(moved.joined(separator: ", ")) measured",
                    after: "not measured", items: isNew ? package.modules ?? [] : moved))
        }
    }

    /// Whether a module of the base is in a local package now.
    func isInLocalPackage(_ module: String) -> Bool {
        run.localPackages.contains { package in
            package.modules?.contains { Name($0) == Name(module) } == true
        }
    }

    private func wasMeasured(_ module: String) -> Bool {
        baseShape?.targets.contains { $0.isModule && Name($0.name) == Name(module) } == true
    }

    /// The folders of local packages that were none at the base: by its stored run, else by the manifests, which name only
    /// those that the package itself depends on.
    private var newLocalPackages: [String] {
        let (before, now): ([String], [String])
        if let base = baseline.run {
            (before, now) = (base.localPackages, run.localPackages.map(\.path))
        } else if let base = baseline.basePackage, let package = baseline.package {
            (before, now) = (base.localPackages, package.localPackages)
        } else {
            return []
        }
        return now.filter { path in !before.contains { Name($0) == Name(path) } }
    }
}
