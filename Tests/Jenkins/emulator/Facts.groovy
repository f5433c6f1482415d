/** What happened, one fact a line; branches that run at once tell theirs in the order in which they are written. */
class Facts {
    private final List<Object> entries = []

    synchronized void add(String fact) { entries << fact }

    /** A place of its own for a branch. */
    synchronized Facts branch() {
        def branch = new Facts()
        entries << branch
        branch
    }

    synchronized List<String> lines() { entries.collectMany { it instanceof Facts ? it.lines() : [it] } }
}
