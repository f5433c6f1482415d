import org.codehaus.groovy.control.CompilerConfiguration

/** One build: its result, what was published, what was stashed, and what was refused. Branches of it run at once. */
class Build {
    static final List<String> ORDER = ['SUCCESS', 'UNSTABLE', 'FAILURE', 'ABORTED']
    /** More than that is no stash: it goes through the controller. */
    static final int STASH_LIMIT = 5 << 20

    final File checkout
    final File folder
    final File libraryFolder
    final Map<String, String> environment
    final Facts facts = new Facts()
    private final List<String> refusals = []
    private final Map<String, Map<String, byte[]>> stashes = [:]
    private final Map<String, Script> library = [:]
    private String result = 'SUCCESS'
    boolean skipsStagesAfterUnstable = false
    /** Whether the pipeline named the library; a variable of one that nobody named is unknown to Jenkins. */
    boolean isLibraryAsked = false

    Build(File checkout, File folder, File libraryFolder, Map<String, String> environment) {
        this.checkout = checkout
        this.folder = folder
        this.libraryFolder = libraryFolder
        this.environment = environment
    }

    synchronized String getResult() { result }

    synchronized void worsen(String other) {
        if (!ORDER.contains(other)) { throw refuse('unknown result ' + other) }
        if (ORDER.indexOf(other) > ORDER.indexOf(result)) { result = other }
    }

    synchronized List<String> getRefusals() { refusals.toUnique() }

    synchronized Refusal refuse(String message) {
        refusals << message
        new Refusal(message)
    }

    void only(String name, Map given, List<String> known) {
        def unknown = given.keySet() - known
        if (unknown) { throw refuse(name + ': unknown parameter ' + unknown.join(', ')) }
    }

    /** The file that asks for the end of the build, as the button in Jenkins does. */
    File getAbort() { new File(folder, 'abort') }

    /** An agent: a new folder with the checkout in it, which no other agent sees. */
    File workspace(String name) {
        def workspace = new File(folder, name.replaceAll(/\W+/, '-'))
        workspace.mkdirs()
        Trees.copy(checkout, workspace)
        workspace
    }

    synchronized void stash(String name, Map<String, byte[]> files) {
        int size = files.values().sum(0) { it.length }
        if (size > STASH_LIMIT) { throw new StepFailure('the stash ' + name + ' has ' + size + ' bytes') }
        stashes[name] = files
    }

    synchronized Map<String, byte[]> unstash(String name) {
        if (!stashes.containsKey(name)) { throw new StepFailure('No such saved stash ‘' + name + '’') }
        stashes[name]
    }

    /** Takes the library by its name, and by the path that its clone is said to have it at. */
    void ask(String library, String path = null) {
        if (library != 'kanmon') { throw refuse('unknown library ' + library) }
        if (path != null && !(libraryFolder.path + '/').endsWith('/' + path.replaceAll('/+$', '') + '/')) {
            throw refuse('the library is not at ' + path)
        }
        // Jenkins takes no library in which there is one.
        libraryFolder.eachFileRecurse { if (java.nio.file.Files.isSymbolicLink(it.toPath())) { throw refuse('a symbolic link: ' + it) } }
        isLibraryAsked = true
    }

    /** A global variable of the shared library, or `null`: the file `vars/NAME.groovy`. */
    synchronized Script variable(String name) {
        if (!library.containsKey(name)) {
            def file = libraryFolder == null ? null : new File(libraryFolder, 'vars/' + name + '.groovy')
            library[name] = file?.isFile() ? script(file) : null
        }
        library[name]
    }

    /** A script whose unknown names are steps of whatever stage calls it. */
    static Script script(File file) {
        def configuration = new CompilerConfiguration(scriptBaseClass: LibraryScript.name, sourceEncoding: 'UTF-8')
        new GroovyShell(Build.classLoader, new Binding(), configuration).parse(file)
    }
}
