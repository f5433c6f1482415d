import Testing

@testable import Repository

@Suite struct HookScriptTests {
    @Test(
        arguments: HookKind.allCases, ["/usr/bin/kanmon", "/o'dd \"dir\"/$(x)/`y`/生\n\\/kanmon", "/a''b/kanmon", "/'"])
    func `a script is read back as it was written`(kind: HookKind, path: String) {
        let server = ServerHookSettings(
            mode: .verify, home: path, store: "/s't", project: "a/b", dashboard: "http://d/",
            protected: ["release/*", "it's"])
        let script = HookScript(
            kind: kind, binary: path, swift: "/s'w/swift", packages: ["Sub dir"],
            home: kind.isServers ? nil : path, server: kind.isServers ? server : nil)
        #expect(HookScript(script.text, kind: kind) == script)
        #expect(HookScript.isMarked(script.text, kind: kind))
    }

    /// To the byte: a script that differs from what would be written today counts as edited.
    @Test func `a script without a store of its own is what earlier versions wrote`() {
        let text = HookScript(kind: .prePush, binary: "/b", swift: "/s", packages: ["Kit"]).text
        #expect(
            text == """
                #!/bin/sh
                # kanmon-hook 1 pre-push
                # Written by `kanmon hook install`; `kanmon hook uninstall` puts back what was here before.
                kanmon='/b'
                KANMON_SWIFT='/s'
                package='Kit'
                export KANMON_SWIFT

                if [ ! -x "$kanmon" ]; then
                    printf 'kanmon: failed to judge: %s is gone\\n' "$kanmon" >&2
                    printf 'Try: kanmon hook install, to record where it is now; or remove the hook %s\\n' "$0" >&2
                    exit 127
                fi

                case $0 in
                */*) previous="${0%/*}/pre-push.before-kanmon" ;;
                *) previous="./pre-push.before-kanmon" ;;
                esac
                if [ -x "$previous" ]; then
                    input=$(cat && printf x) || exit 74
                    input=${input%x}
                    printf '%s' "$input" | "$previous" "$@" || exit $?
                    [ -z "$package" ] || set -- --package-path "$package" "$@"
                    printf '%s' "$input" | "$kanmon" hook run pre-push "$@"
                    exit $?
                fi
                [ -z "$package" ] || set -- --package-path "$package" "$@"
                exec "$kanmon" hook run pre-push "$@"

                """)
    }

    @Test func `a script that differs in one byte is not ours any more`() {
        let text = HookScript(kind: .prePush, binary: "/b", swift: "/s", packages: [""]).text
        #expect(HookScript(text + "echo mine\n", kind: .prePush) == nil)
        #expect(HookScript(text, kind: .preCommit) == nil)
        for index in text.indices {
            var shorter = text
            shorter.remove(at: index)
            // Only a path may lose a character and still be a path: another one.
            if let read = HookScript(shorter, kind: .prePush) {
                #expect([read.binary, read.swift] != ["/b", "/s"])
            }
        }
    }
}
