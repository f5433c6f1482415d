import org.jenkinsci.plugins.workflow.steps.FlowInterruptedException

/** A stage: steps, stages one after the other, stages at once, or a matrix of them. */
class Stage extends Block {
    final String name
    private final List<String> kinds = []
    private Closure body
    private Closure condition
    private List<Stage> inner = []
    private Matrix matrix

    Stage(Build build, String name) {
        super(build)
        this.name = name
    }

    void steps(Closure body) { kinds << 'steps'; this.body = body }
    void stages(Closure body) { kinds << 'stages'; inner = new Stages(build).read(body).stages }
    void parallel(Closure body) { kinds << 'parallel'; inner = new Stages(build).read(body).stages }
    void matrix(Closure body) { kinds << 'matrix'; matrix = new Matrix(build, name).read(body) }
    void when(Closure body) { condition = body }
    void failFast(boolean ignored) { throw build.refuse('stage ' + name + ': failFast') }

    /** Whether the next stage may run. That a failure was thrown decides, not the result: `catchError` goes on. */
    boolean run(Facts facts, File inherited, Map<String, String> around) {
        if (kinds.size() != 1) { throw build.refuse('stage ' + name + ': needs one of steps, stages, parallel, matrix') }
        def known = around + variables
        if (condition != null && !new When(build, known).read(condition).holds()) {
            facts.add('skipped ' + name)
            return true
        }
        def own = workspace(name, inherited)
        def steps = new Steps(build, facts, own, name, known)
        facts.add('stage ' + name)
        boolean mayContinue = attempt(steps) {
            switch (kinds[0]) {
                case 'steps': steps.run(body); return true
                case 'stages': return inner.every { it.run(facts, own, known) }
                case 'parallel': return Branches.run(inner, facts) { stage, branch -> stage.run(branch, own, known) }
                case 'matrix': return matrix.run(facts, own, known)
            }
        }
        if (post != null && !post.run(steps)) { mayContinue = false }
        mayContinue && !(build.skipsStagesAfterUnstable && build.result == 'UNSTABLE')
    }

    private boolean attempt(Steps steps, Closure<Boolean> work) {
        try {
            return work()
        } catch (StepFailure failure) {
            steps.echo('ERROR: ' + failure.message)
            build.worsen('FAILURE')
        } catch (FlowInterruptedException interruption) {
            steps.echo('ABORTED: ' + interruption.message)
            build.worsen('ABORTED')
        }
        false
    }
}
