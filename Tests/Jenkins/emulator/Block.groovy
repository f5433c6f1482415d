/** What a pipeline, a stage and a matrix have in common. */
abstract class Block extends Section {
    protected String agent
    protected Post post
    protected Map<String, String> variables = [:]

    Block(Build build) { super(build) }

    String getAny() { 'any' }
    String getNone() { 'none' }
    void agent(String kind) {
        if (!(kind in ['any', 'none'])) { throw build.refuse('agent: unknown kind ' + kind) }
        agent = kind
    }
    void agent(Closure body) { agent = new AgentLabel(build).read(body).name }
    void post(Closure body) { post = new Post(build).read(body) }
    void options(Closure body) { new Options(build).read(body) }
    void environment(Closure body) { variables = new Environment(build).read(body).variables }

    /** The workspace of this block: its own when it asks for an agent, else that of the block around it. */
    protected File workspace(String name, File inherited) {
        agent == null ? inherited : agent == 'none' ? null : build.workspace(name)
    }
}
