/** A step failed; the build goes on as Jenkins says: no further stage, but every post block. */
class StepFailure extends RuntimeException {
    StepFailure(String message) { super(message) }
}
