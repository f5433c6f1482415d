import Foundation

/// Who owns a file that root makes.
public enum FileOwner {
    /// Gives a file or folder that was just made to the owner of the folder that it is in, if root made it for somebody else.
    ///
    /// Otherwise a token that root makes for a server of another user would be one that the server cannot read. For anybody but root
    /// nothing changes.
    public static func follow(folderOf path: String) {
        guard let owner = owner(ofFolderOf: path) else { return }
        // What cannot be given away stays root's, which whoever needs it is told when it opens the file.
        _ = lchown(path, owner.user, owner.group)
    }

    /// The same for a file that is open.
    static func follow(folderOf path: String, _ descriptor: Int32) {
        guard let owner = owner(ofFolderOf: path) else { return }
        _ = fchown(descriptor, owner.user, owner.group)
    }

    /// Makes a folder that only its owner can enter, and those above it that are missing. What is there stays as it is.
    ///
    /// - Throws: What the system says if it cannot be made.
    public static func makeFolder(_ path: String) throws {
        var made: [String] = []
        var folder = path
        while !folder.isEmpty, access(folder, F_OK) != 0 {
            made.append(folder)
            folder = (folder as NSString).deletingLastPathComponent
        }
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // The highest one first: the others follow it.
        for folder in made.reversed() { follow(folderOf: folder) }
    }

    /// Whom a new file belongs to; `nil` where it stays with whoever makes it.
    private static func owner(ofFolderOf path: String) -> (user: uid_t, group: gid_t)? {
        guard geteuid() == 0, let folder = FileStatus(at: (path as NSString).deletingLastPathComponent),
            folder.owner != 0
        else { return nil }
        return (folder.owner, folder.group)
    }
}
