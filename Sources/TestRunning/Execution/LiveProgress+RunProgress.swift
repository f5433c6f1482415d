import RunModel

extension LiveProgress {
    /// Takes one event.
    mutating func take(_ news: RunProgress) {
        switch news {
        case .waiting, .chose, .ended, .buildFailed, .triedMutants, .repeatedTests, .mutantSurvived: break
        case .began(let kind): step = kind
        case .built(let done, let total): (built, toBuild) = (done, max(total, toBuild))
        case .discovered(let count): discovered = count
        case .testStarted(let name): running = name
        case .testEnded(let name, let outcome):
            ended += 1
            if running.map({ Name($0) == Name(name) }) ?? false { running = nil }
            guard outcome.isFailure else { return }
            failed += 1
            if failures.count < Self.mostFailures { failures.append(name) }
        }
    }
}
