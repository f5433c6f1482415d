/** The axes of a matrix. */
class Axes extends Section {
    final Map<String, List<String>> axes = [:]

    Axes(Build build) { super(build) }
    void axis(Closure body) {
        def axis = new Axis(build).read(body)
        if (axis.key == null || !axis.all) { throw build.refuse('axis: needs name and values') }
        axes[axis.key] = axis.all
    }
}
