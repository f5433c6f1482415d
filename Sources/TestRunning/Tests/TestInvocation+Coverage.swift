// The tools that make an export of what the tests have counted.

extension TestInvocation {
    /// Merges the raw profiles into one, leaving out those that cannot be read.
    func merge(_ profiles: [String]) -> ChildCommand {
        command(
            tools.llvmProfdata,
            ["merge", "-sparse", "-failure-mode=all", "-o", files.mergedProfile] + profiles,
            Self.hugePages
        )
    }

    /// Exports the coverage of the objects listed in the response file as JSON on standard output.
    ///
    /// With the functions, which name those never called, by which shards are united exactly, and whose number shows that
    /// the profile is of these objects. In the largest package measured (swift-collections, 589 objects) they are half of
    /// what the export takes.
    var export: ChildCommand {
        command(
            tools.llvmCov,
            [
                "export", "-format=text", "-num-threads=1", "-instr-profile=\(files.mergedProfile)",
                "@\(files.objectList)",
            ],
            Self.hugePages
        )
    }

    /// Exports what the same objects hold, whatever was executed: every function that was compiled. Asked where the export
    /// has fewer functions than the objects.
    var inventory: ChildCommand {
        command(
            tools.llvmCov,
            ["export", "-format=text", "-num-threads=1", "-empty-profile", "-skip-functions", "@\(files.objectList)"],
            Self.hugePages
        )
    }

    /// Demangles the symbols listed in the response file, one a line.
    var demangling: ChildCommand {
        command(tools.swiftDemangle, ["-compact", "-simplified", "@\(files.symbolList)"])
    }

    /// LLVM's tools ask for millions of small pieces of memory and end soon. From huge pages and one arena the C library
    /// serves them in two thirds of the time; a library or a kernel without these passes the words over.
    private static let hugePages = ["GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.arena_max=1"]
}
