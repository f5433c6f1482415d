/** Stages in their order. */
class Stages extends Section {
    final List<Stage> stages = []

    Stages(Build build) { super(build) }
    void stage(String name, Closure body) { stages << new Stage(build, name).read(body) }
}
