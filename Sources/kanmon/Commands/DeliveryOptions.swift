import Application
import ArgumentParser
import Gate

/// The options for the delivery of runs to a server.
struct DeliveryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Deliver to this server; default: KANMON_SERVER, else that of 'kanmon login'.", valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "How long to try to deliver; default: 60s in CI, else 10s. What is left is sent by a later command.",
            valueName: "time"),
        transform: TimeLimitArgument.read)
    var deliveryTimeout: Duration?

    @Flag(help: "Exit with 74 if the run could not be delivered.")
    var requireDelivery = false

    @Flag(help: "Deliver runs of working copies, too.")
    var deliverWorkingCopies = false

    /// The delivery of a command's runs.
    ///
    /// A server that is misnamed in the environment is told when there is something to deliver: the run comes first.
    ///
    /// - Throws: `Problem` if a flag names a server that nothing can be sent to, or asks for one and there is none.
    func delivery(_ process: ProcessContext, home: Home) throws -> RunDelivery {
        var delivery = RunDelivery(process: process, home: home, server: server)
        if server != nil || requireDelivery, case .unusable(let problem) = delivery.place { throw problem }
        if requireDelivery, case .none = delivery.place {
            throw Problem(
                .usage, "--require-delivery needs a server",
                hint: "kanmon login URL, or set KANMON_SERVER and KANMON_TOKEN")
        }
        delivery.timeout = deliveryTimeout ?? (process.isCI ? .seconds(60) : .seconds(10))
        delivery.retries = process.isCI || deliveryTimeout != nil
        delivery.isRequired = requireDelivery
        if deliverWorkingCopies { delivery.includesWorkingCopies = true }
        return delivery
    }
}
