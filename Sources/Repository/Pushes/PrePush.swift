/// The standard input of a pre-push hook.
public struct PrePush: Sendable, Hashable {
    /// What is wrong with the input.
    public enum InputError: Error, Sendable, Hashable, CustomStringConvertible {
        /// A line that is not `<local ref> <local object> <remote ref> <remote object>`.
        case malformed(line: Int, shown: String)

        /// The line and what is expected.
        public var description: String {
            switch self {
            case .malformed(let line, let shown):
                "standard input:\(line): not \"<local ref> <local object> <remote ref> <remote object>\": \(shown)"
            }
        }
    }

    /// The refs in the order given.
    public let refs: [PushedRef]

    /// Reads the lines that git writes: one for each ref, none when there is nothing to push.
    public init(standardInput: [UInt8]) throws(InputError) {
        var refs: [PushedRef] = []
        var number = 0
        var rest = standardInput[...]
        while !rest.isEmpty {
            number += 1
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            // A truncated line may have half of an object id, so it must end with a line feed.
            guard line.endIndex < rest.endIndex, let ref = Self.ref(line) else {
                throw .malformed(line: number, shown: GitName(bytes: line.prefix(200)).description)
            }
            refs.append(ref)
            rest = rest[(line.endIndex + 1)...]
        }
        self.refs = refs
    }

    /// The last three fields contain no space; the first one is typed by the user and may.
    private static func ref(_ line: ArraySlice<UInt8>) -> PushedRef? {
        var fields: [ArraySlice<UInt8>] = []
        var rest = line
        for _ in 0..<3 {
            guard let space = rest.lastIndex(of: UInt8(ascii: " ")) else { return nil }
            fields.append(rest[(space + 1)...])
            rest = rest[..<space]
        }
        guard let localObject = ObjectID(bytes: fields[2]), let remoteObject = ObjectID(bytes: fields[0]),
            !rest.isEmpty, !fields[1].isEmpty
        else { return nil }
        return PushedRef(
            localName: GitName(bytes: rest),
            localObject: localObject,
            remoteName: GitName(bytes: fields[1]),
            remoteObject: remoteObject
        )
    }
}
