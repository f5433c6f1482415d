/** One axis: `name` and `values`. */
class Axis extends Section {
    String key
    List<String> all = []

    Axis(Build build) { super(build) }
    void name(String name) { key = name }
    void values(String... values) { all = values as List }
}
