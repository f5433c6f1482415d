/** Variables for what is inside of a block: `NAME = 'value'`. */
class Environment extends Section {
    final Map<String, String> variables = [:]

    Environment(Build build) { super(build) }

    void setProperty(String name, Object value) { variables[name] = value.toString() }
    String credentials(String id) { 'secret-of-' + id }
}
