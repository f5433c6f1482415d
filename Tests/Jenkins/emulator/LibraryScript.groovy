/** A script of the shared library, or one that was loaded: what it does not define is a step of the stage that calls it. */
abstract class LibraryScript extends Script {
    def methodMissing(String name, Object arguments) { Steps.current.get().invokeMethod(name, arguments) }
    def propertyMissing(String name) { Steps.current.get().getProperty(name) }
}
