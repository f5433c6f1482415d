import org.jenkinsci.plugins.workflow.steps.FlowInterruptedException

/** What runs after a block. */
class Post extends Section {
    /** In the order in which Jenkins runs them; those that look at the build before this one are not emulated. */
    static final Map<String, Closure<Boolean>> CONDITIONS = [
        always: { true },
        aborted: { it == 'ABORTED' },
        success: { it == 'SUCCESS' },
        unsuccessful: { it != 'SUCCESS' },
        unstable: { it == 'UNSTABLE' },
        failure: { it == 'FAILURE' },
        cleanup: { true },
    ]
    private final Map<String, Closure> bodies = [:]

    Post(Build build) { super(build) }

    def methodMissing(String name, Object arguments) {
        if (!CONDITIONS.containsKey(name)) { throw build.refuse('post: unknown condition ' + name) }
        bodies[name] = arguments[0]
    }

    /** Whether nothing failed in it. */
    boolean run(Steps steps) {
        boolean isFine = true
        steps.isInterruptible = false
        CONDITIONS.each { name, holds ->
            if (!bodies.containsKey(name) || !holds(build.result)) { return }
            steps.facts.add('post ' + name)
            try {
                steps.run(bodies[name])
            } catch (StepFailure | FlowInterruptedException failure) {
                steps.echo('ERROR in post condition ' + name + ': ' + failure.message)
                build.worsen(failure instanceof StepFailure ? 'FAILURE' : 'ABORTED')
                isFine = false
            }
        }
        isFine
    }
}
