/// The input of server hooks.
public enum ServerPush {
    /// Reads the lines that a pre-receive hook is given: `<old object> <new object> <ref>`.
    public static func refs(standardInput: [UInt8]) throws(PrePush.InputError) -> [PushedRef] {
        var refs: [PushedRef] = []
        var rest = standardInput[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
            // A truncated line may have half of an object id, so it must end with a line feed.
            guard line.endIndex < rest.endIndex, fields.count == 3,
                let ref = ref(name: GitName(bytes: fields[2]), old: fields[0], new: fields[1])
            else { throw .malformed(line: refs.count + 1, shown: GitName(bytes: line.prefix(200)).description) }
            refs.append(ref)
            rest = rest[(line.endIndex + 1)...]
        }
        return refs
    }

    /// Reads the arguments that an update hook is given: the ref, the old and the new object.
    public static func ref(arguments: [String]) throws(PrePush.InputError) -> PushedRef {
        guard arguments.count == 3,
            let ref = ref(name: GitName(arguments[0]), old: arguments[1].utf8, new: arguments[2].utf8)
        else { throw .malformed(line: 1, shown: GitName(arguments.joined(separator: " ")).description) }
        return ref
    }

    private static func ref(
        name: GitName, old: some Collection<UInt8>, new: some Collection<UInt8>
    ) -> PushedRef? {
        guard let old = ObjectID(bytes: old), let new = ObjectID(bytes: new), !name.bytes.isEmpty else { return nil }
        return PushedRef(localName: name, localObject: new, remoteName: name, remoteObject: old)
    }
}
