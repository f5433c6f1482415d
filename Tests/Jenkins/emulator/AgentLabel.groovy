/** `agent { label 'swift' }`: every label has an agent here. */
class AgentLabel extends Section {
    String name

    AgentLabel(Build build) { super(build) }
    void label(String expression) { name = expression }
}
