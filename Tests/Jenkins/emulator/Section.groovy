/** A block of a pipeline: it knows the sections that its subclass declares and refuses all others. */
abstract class Section {
    protected final Build build

    Section(Build build) { this.build = build }

    def read(Closure body) {
        def copy = body.rehydrate(this, body.owner, body.thisObject)
        copy.resolveStrategy = Closure.DELEGATE_ONLY
        copy()
        this
    }

    def methodMissing(String name, Object arguments) { throw build.refuse(getClass().simpleName + ': unknown ' + name) }
    def propertyMissing(String name) { throw build.refuse(getClass().simpleName + ': unknown ' + name) }
}
