/// One ref that a push will change.
public struct PushedRef: Sendable, Hashable {
    /// The source of the push, as the user named it: a ref, `HEAD~1`, or `(delete)`. Untrusted.
    public var localName: GitName
    /// The object that is pushed; zeros when the remote ref is deleted.
    public var localObject: ObjectID
    /// The ref on the other side.
    public var remoteName: GitName
    /// The remote's current object; zeros if the ref is new.
    public var remoteObject: ObjectID

    /// Whether the push deletes the ref.
    var isDeletion: Bool { localObject.isZero }
    /// Whether the ref is new on the remote.
    public var isNew: Bool { remoteObject.isZero }
    /// The pushed branch, else the branch that is pushed to; `nil` for a tag.
    var branch: String? {
        (localName.dropping(prefix: "refs/heads/") ?? remoteName.dropping(prefix: "refs/heads/"))?.shownOrText
    }
}
