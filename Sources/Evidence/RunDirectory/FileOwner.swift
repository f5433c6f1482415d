import Foundation

/// Who owns a file that root makes.
public enum FileOwner {
    /// Gives a file or folder that was just made to the owner of the folder that it is in, if root made it for somebody else.
    ///
    /// Otherwise a token that root makes for a server of another user would be one that the server cannot read. For anybody but root
    /// nothing changes.
    public static func follow(folderOf path: String) {
        guard geteuid() == 0, let folder = FileStatus(at: (path as NSString).deletingLastPathComponent),
            folder.owner != 0
        else { return }
        // What cannot be given away stays root's, which whoever needs it is told when it opens the file.
        _ = lchown(path, folder.owner, folder.group)
    }
}
