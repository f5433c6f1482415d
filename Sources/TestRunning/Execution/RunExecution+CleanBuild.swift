import Evidence
import Foundation
import RunModel

extension RunExecution {
    /// Builds in a new folder after the incremental build, and says where the code of the two differs.
    ///
    /// - Parameter outcome: How the incremental build ended.
    mutating func buildAnew(
        after outcome: ChildOutcome, _ incremental: IncrementalBuild, _ invocation: TestInvocation,
        _ log: TranscriptFile
    ) async throws(RunnerError) -> ChildOutcome {
        var incremental = incremental
        let before = try incremental.putAside()
        let (clean, _) = try await buildUntilSettled(&incremental, invocation, log)
        if clean.cause == nil, outcome.cause == nil {
            switch (outcome.termination.isSuccess, clean.termination.isSuccess) {
            case (true, true): try await compareObjects(before, incremental.products, invocation)
            case (true, false): staleBuild("the incremental build succeeded, a clean one fails")
            case (false, true): staleBuild("the incremental build failed, a clean one succeeds")
            case (false, false): break
            }
            let words = gaps.filter { $0.code == .staleBuild }.map {
                $0.subject.isEmpty ? $0.detail : "\($0.subject): \($0.detail)"
            }
            try StaleBuild(packageRoot: request.package.root, date: request.startedAt, differences: words)
                .record(in: request.scratchPath)
        }
        try removeIfPresent(before.path)
        return clean
    }

    private mutating func staleBuild(_ detail: String, subject: String = "") {
        gaps.append(Gap(.staleBuild, subject: subject, detail: detail))
    }

    /// Says for each module which functions are others than in the clean build.
    mutating func compareObjects(
        _ before: ProductFolder, _ clean: ProductFolder, _ invocation: TestInvocation
    ) async throws(RunnerError) {
        let (linked, cleanly) = (LinkedObjects(of: before), LinkedObjects(of: clean))
        gaps += linked.gaps(beside: cleanly)
        let (old, new) = (linked.objects, cleanly.objects)
        var functions: [Name: Set<Name>] = [:]
        for object in old.union(new) {
            let paths = ("\(before.path)/\(object.text)", "\(clean.path)/\(object.text)")
            if FileManager.default.contentsEqual(atPath: paths.0, andPath: paths.1) { continue }
            let module = Name(object.text.split(separator: "/")[0].replacing(ProductFolder.Unit.suffix, with: ""))
            guard old.contains(object), new.contains(object), let code = try await objectCode(in: paths.0, invocation),
                let other = try await objectCode(in: paths.1, invocation)
            else {
                functions[module, default: []].insert(object)
                continue
            }
            let differences = code.differences(from: other)
            if !differences.isEmpty { functions[module, default: []].formUnion(differences) }
        }
        for (module, names) in functions.sorted(by: { $0.key < $1.key }) {
            let shown = try await demangled(names.sorted().prefix(3).map(\.text), invocation).joined(separator: ", ")
            let more = names.count > 3 ? ", and \(names.count - 3) more" : ""
            staleBuild("the code of \(shown)\(more) was not what a clean build makes", subject: module.text)
        }
    }

    /// The code in an object; `nil` if the toolchain cannot print it.
    private func objectCode(in object: String, _ invocation: TestInvocation) async throws(RunnerError) -> ObjectCode? {
        let folder = (invocation.tools.swift as NSString).deletingLastPathComponent
        let program = "\(folder)/llvm-objdump"
        guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
        let captured = CapturedOutput(limit: 512 << 20)
        let limits = Supervision.Limits(
            run: min(.seconds(120), timeLeft), silence: nil, grace: request.options.limits.grace)
        let outcome = try await ChildProcess(
            invocation.command(program, ObjectCode.arguments + [object]), limits: limits, mergesStreams: false,
            isolation: isolation
        ).run(captured)
        guard outcome.termination.isSuccess, !captured.isCut else { return nil }
        // SwiftPM writes a source that calls the lists of all test targets, in an order of chance.
        return ObjectCode(
            disassembly: captured.output, isExact: ObjectCode.isExact(object),
            anyOrder: object.hasSuffix("/all-discovered-tests.swift.o"))
    }

    /// Symbols as people write them, where the toolchain can say so.
    private func demangled(_ symbols: [String], _ invocation: TestInvocation) async throws(RunnerError) -> [String] {
        guard FileManager.default.isExecutableFile(atPath: invocation.tools.swiftDemangle) else { return symbols }
        let captured = CapturedOutput()
        let limits = Supervision.Limits(
            run: min(.seconds(20), timeLeft), silence: nil, grace: request.options.limits.grace)
        let outcome = try await ChildProcess(
            invocation.command(invocation.tools.swiftDemangle, ["-compact", "-simplified"] + symbols), limits: limits,
            mergesStreams: false, isolation: isolation
        ).run(captured)
        let names = String(decoding: captured.output, as: UTF8.self).split(separator: "\n").map(String.init)
        return outcome.termination.isSuccess && names.count == symbols.count ? names : symbols
    }
}
