/** The conditions of a stage, all of which must hold. */
class When extends Section {
    private final Map<String, String> variables
    private final List<Boolean> conditions = []

    When(Build build, Map<String, String> variables) {
        super(build)
        this.variables = variables
    }

    /** Only decides when an agent is asked for. */
    void beforeAgent(boolean ignored) {}
    void branch(String pattern) { conditions << matches(pattern, variables.BRANCH_NAME) }
    void changeRequest() { conditions << variables.containsKey('CHANGE_ID') }
    void environment(Map parameters) {
        build.only('environment', parameters, ['name', 'value'])
        conditions << (variables[parameters.name] == parameters.value)
    }
    void expression(Closure body) {
        conditions << (new Steps(build, new Facts(), null, 'when', variables).run(body) as boolean)
    }
    void not(Closure body) { conditions << !inner(body).every() }
    void allOf(Closure body) { conditions << inner(body).every() }
    void anyOf(Closure body) { conditions << inner(body).any() }

    boolean holds() { conditions.every() }

    private List<Boolean> inner(Closure body) { new When(build, variables).read(body).conditions }

    private static boolean matches(String pattern, String name) {
        name != null && name ==~ pattern.split(/\*/, -1).collect { java.util.regex.Pattern.quote(it) }.join('.*')
    }
}
