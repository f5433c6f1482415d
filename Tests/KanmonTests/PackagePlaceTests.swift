import Foundation
import Testing

@testable import Application

@Suite struct PackagePlaceTests {
    @Test func `a package is found below the repository around it`() throws {
        let folder = try TestFolder()
        #expect(PackagePlace(root: "\(folder.work)/kanmon/tree/Kit").prefix == "")
        // A clone has a folder, a linked work tree and a submodule have a file.
        try folder.write("ref: refs/heads/main\n", to: "work/.git/HEAD")
        try folder.write("gitdir: elsewhere\n", to: "work/Linked/.git")
        #expect(PackagePlace(root: folder.work).prefix == "")
        #expect(PackagePlace(root: "\(folder.work)/Packages/Kit").prefix == "Packages/Kit")
        #expect(PackagePlace(root: "\(folder.work)/kanmon/tree/Kit").prefix == "kanmon/tree/Kit")
        #expect(PackagePlace(root: "\(folder.work)/Linked/Kit").prefix == "Kit")
        #expect(PackagePlace(root: "\(folder.work)/Packages/Kit", prefix: "given").prefix == "given")
        #expect(PackagePlace(root: "\(folder.work)/Packages/Kit").root == "\(folder.work)/Packages/Kit")
    }

    @Test func `a package that was laid out in a shadow tree lies where it lies in its repository`() throws {
        let folder = try TestFolder()
        try folder.write("ref: refs/heads/main\n", to: "work/.git/HEAD")
        #expect(PackagePlace(root: "\(folder.work)/.git/kanmon/tree/work").prefix == "")
        #expect(PackagePlace(root: "\(folder.work)/.git/kanmon/tree/work/Packages/Kit").prefix == "Packages/Kit")
    }

    /// Of another machine, of a submodule that has our name, of a server, and of a package that has the tree's.
    @Test(arguments: [
        ("/home/ci/app/.git/kanmon/tree/app", ""), ("/home/ci/app/.git/modules/kanmon/kanmon/tree/kanmon/Kit", "Kit"),
        ("/srv/git/app.git/kanmon/tree/app/Packages/Kit", "Packages/Kit"),
        ("/home/ci/app/.git/kanmon/tree/app/kanmon/tree", "kanmon/tree"), ("/home/ci/app/.git/kanmon", ""),
    ])
    func `the path alone tells of a shadow tree`(root: String, prefix: String) {
        #expect(PackagePlace(root: root).prefix == prefix)
    }
}
