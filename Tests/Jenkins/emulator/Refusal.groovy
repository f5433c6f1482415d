/** The pipeline uses what is not emulated. An error and no exception, so that no pipeline can catch it by accident. */
class Refusal extends Error {
    Refusal(String message) { super(message) }
}
