/** A declarative pipeline. */
class Pipeline extends Block {
    private List<Stage> all = []

    Pipeline(Build build) { super(build) }

    void stages(Closure body) { all = new Stages(build).read(body).stages }

    void run() {
        if (agent == null) { throw build.refuse('pipeline: no agent') }
        if (!all) { throw build.refuse('pipeline: no stages') }
        def known = build.environment + variables
        def own = workspace('pipeline', null)
        all.every { it.run(build.facts, own, known) }
        post?.run(new Steps(build, build.facts, own, 'post', known))
    }
}
