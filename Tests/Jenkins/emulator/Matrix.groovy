/** The same stages for every combination of values, all at once, each with an agent of its own where it asks for one. */
class Matrix extends Block {
    private final String name
    private final Map<String, List<String>> axes = [:]
    private Closure body

    Matrix(Build build, String name) {
        super(build)
        this.name = name
    }

    void axes(Closure body) { axes.putAll(new Axes(build).read(body).axes) }
    void stages(Closure body) { this.body = body }

    boolean run(Facts facts, File inherited, Map<String, String> around) {
        if (!axes || body == null) { throw build.refuse('matrix: needs axes and stages') }
        def cells = axes.values().toList().combinations().collect { [axes.keySet().toList(), it].transpose().collectEntries() }
        Branches.run(cells, facts) { cell, branch ->
            def title = name + ' ' + cell.values().join(' ')
            def own = workspace(title, inherited)
            def known = around + variables + cell
            branch.add('cell ' + title)
            // Read anew for every cell: a stage keeps what it reads.
            boolean isFine = new Stages(build).read(body).stages.every { it.run(branch, own, known) }
            if (post != null && !post.run(new Steps(build, branch, own, title, known))) { isFine = false }
            isFine
        }
    }
}
