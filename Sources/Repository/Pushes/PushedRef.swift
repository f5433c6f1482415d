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
    /// The branch that gets what is pushed, whatever it is called here; `nil` where it is none, such as a tag or a review.
    var branch: String? { remoteName.dropping(prefix: "refs/heads/")?.shownOrText }
}
