import org.jenkinsci.plugins.workflow.steps.FlowInterruptedException

/** What a pipeline may call inside of `steps` and post conditions. */
class Steps implements ReportSteps {
    /** The steps of the stage that runs in this thread; scripts of the library find theirs by it. */
    static final ThreadLocal<Steps> current = new ThreadLocal<>()

    final Build build
    final Facts facts
    /** The agent's workspace; `null` without an agent. */
    final File workspace
    /** Where steps work: the workspace, or the folder that `dir` names. */
    protected File folder
    final String stage
    protected Map<String, String> variables
    private final List<String> secrets = []
    /** An abort ends one step of a stage; what runs to clean up after it, and in post conditions, is left in peace. */
    boolean isInterruptible = true

    Steps(Build build, Facts facts, File workspace, String stage, Map<String, String> variables) {
        this.build = build
        this.facts = facts
        this.workspace = workspace
        this.folder = workspace
        this.stage = stage
        this.variables = variables
    }

    Map getCurrentBuild() { [currentResult: build.result].asImmutable() }
    Map getEnv() { variables.asImmutable() }

    def script(Closure body) { run(body) }

    def run(Closure body) {
        def before = current.get()
        current.set(this)
        try {
            def copy = body.rehydrate(this, body.owner, body.thisObject)
            copy.resolveStrategy = Closure.DELEGATE_FIRST
            return copy()
        } finally {
            current.set(before)
        }
    }

    void echo(Object message) { println '[' + stage + '] ' + secrets.inject(message.toString()) { text, secret -> text.replace(secret, '****') } }

    void error(Object message) { throw new StepFailure(message.toString()) }

    void unstable(Object message) {
        echo('WARNING: ' + message)
        build.worsen('UNSTABLE')
    }

    void catchError(Map parameters = [:], Closure body) {
        build.only('catchError', parameters, ['buildResult', 'stageResult', 'message', 'catchInterruptions'])
        try {
            run(body)
        } catch (FlowInterruptedException interruption) {
            if (parameters.catchInterruptions == false) { throw interruption }
            build.worsen('ABORTED')
        } catch (StepFailure failure) {
            echo('ERROR: ' + failure.message)
            build.worsen(parameters.buildResult ?: 'FAILURE')
        }
    }

    def withEnv(List<Object> entries, Closure body) {
        within({ variables = variables + entries.collectEntries { it.toString().split('=', 2) as List } }, body)
    }

    def dir(Object path, Closure body) {
        requireAgent('dir')
        def chosen = place(path)
        within({ folder = chosen }, body)
    }

    /** The folder where steps work, or the one for temporary files beside it. */
    String pwd(Map parameters = [:]) {
        build.only('pwd', parameters, ['tmp'])
        requireAgent('pwd')
        parameters.tmp ? folder.path + '@tmp' : folder.path
    }

    /** A path that is relative is one below the folder where steps work. */
    private File place(Object path) {
        def file = new File(path.toString())
        file.absolute ? file : new File(folder, path.toString())
    }

    /** The variables of a secret text, which is `secret-of-ID`, and which no line of the log shows. */
    Map string(Map parameters) {
        build.only('string', parameters, ['credentialsId', 'variable'])
        [(parameters.variable): 'secret-of-' + parameters.credentialsId]
    }

    /** Those by which git finds a user, `user-of-ID`, and a password, `secret-of-ID`: it asks a script beside the workspace. */
    Map gitUsernamePassword(Map parameters) {
        build.only('gitUsernamePassword', parameters, ['credentialsId', 'gitToolName'])
        requireAgent('gitUsernamePassword')
        def script = new File(folder.path + '@tmp', 'askpass-' + parameters.credentialsId)
        script.parentFile.mkdirs()
        script.text = '#!/bin/sh\ncase "$1" in Username*) echo "$GIT_USERNAME" ;; Password*) echo "$GIT_PASSWORD" ;; esac\n'
        script.setExecutable(true)
        [GIT_ASKPASS: script.path, GIT_USERNAME: 'user-of-' + parameters.credentialsId,
         GIT_PASSWORD: 'secret-of-' + parameters.credentialsId, GIT_TERMINAL_PROMPT: 'false']
    }

    def withCredentials(List<Map> credentials, Closure body) {
        Map<String, String> bound = [:]
        credentials.each { bound.putAll(it) }
        secrets.addAll(bound.values().findAll { it.startsWith('secret-of-') })
        try {
            return within({ variables = variables + bound }, body)
        } finally {
            if (bound.GIT_ASKPASS) { new File(bound.GIT_ASKPASS).delete() }
        }
    }

    private def within(Closure change, Closure body) {
        def before = [variables, folder]
        change()
        try { return run(body) } finally { (variables, folder) = before }
    }

    void deleteDir() {
        requireAgent('deleteDir')
        folder.deleteDir()
    }

    boolean fileExists(Object path) {
        requireAgent('fileExists')
        place(path).exists()
    }

    /** Evaluates a script of the workspace; what it returns is mostly itself, with methods to call. */
    def load(Object path) {
        requireAgent('load')
        def file = new File(folder, path.toString())
        if (!file.isFile()) { throw new StepFailure('there is no ' + path) }
        Build.script(file).run()
    }

    def sh(Object script) { sh(script: script) }

    def sh(Map parameters) {
        build.only('sh', parameters, ['script', 'returnStatus', 'label'])
        if (parameters.script instanceof GString) { throw build.refuse('sh: Groovy interpolates into the script') }
        requireAgent('sh')
        folder.mkdirs()
        def builder = new ProcessBuilder('/bin/sh', '-xe', '-c', parameters.script as String)
        builder.directory(folder).redirectErrorStream(true)
        builder.environment().putAll(variables)
        builder.environment().putAll(
            [WORKSPACE: workspace.path, BUILD_NUMBER: '1', JENKINS_URL: 'http://emulator/', CI: 'true', STAGE_NAME: stage,
             EMULATED_ABORT: build.abort.path])
        int status = waitFor(builder.start())
        if (isInterruptible && build.abort.exists()) {
            isInterruptible = false
            throw new FlowInterruptedException('the build was aborted')
        }
        if (parameters.returnStatus) { return status }
        if (status != 0) { throw new StepFailure('script returned exit code ' + status) }
    }

    /** Prints what the process prints; when the build is aborted, all of its processes are told to end, and awaited. */
    private int waitFor(Process process) {
        process.outputStream.close()
        def watch = Thread.startDaemon {
            while (isInterruptible && process.alive) {
                if (build.abort.exists()) {
                    // By its handle: the process itself would close its output before it has ended.
                    process.descendants().forEach { it.destroy() }
                    process.toHandle().destroy()
                    return
                }
                sleep(50)
            }
        }
        process.inputStream.eachLine('UTF-8') { echo(it) }
        int status = process.waitFor()
        watch.join()
        status
    }

    void stash(Map parameters) {
        build.only('stash', parameters, ['name', 'includes', 'excludes', 'allowEmpty', 'useDefaultExcludes'])
        requireAgent('stash')
        def left = parameters.excludes ? Trees.matching(folder, parameters.excludes) : []
        def found = Trees.matching(folder, parameters.includes ?: '**') - left
        if (!found && !parameters.allowEmpty) { throw new StepFailure('No files included in stash ‘' + parameters.name + '’') }
        build.stash(parameters.name.toString(), found.collectEntries { [(folder.toPath().relativize(it.toPath()).toString()): it.bytes] })
        facts.add('stash ' + parameters.name + ' ' + found.size())
    }

    void unstash(Object name) {
        requireAgent('unstash')
        build.unstash(name.toString()).each { path, bytes ->
            def file = new File(folder, path)
            file.parentFile.mkdirs()
            file.bytes = bytes
        }
        facts.add('unstash ' + name)
    }

    void requireAgent(String step) {
        if (workspace == null) { throw new StepFailure(step + ' needs an agent') }
    }

    def methodMissing(String name, Object arguments) {
        def variable = build.variable(name)
        if (variable != null && !build.isLibraryAsked) { throw build.refuse(name + ': the pipeline asks for no library') }
        if (variable != null && variable.metaClass.respondsTo(variable, 'call', *arguments)) {
            return inThisStage { variable.call(*arguments) }
        }
        throw build.refuse('unknown step ' + name)
    }

    private def inThisStage(Closure work) {
        def before = current.get()
        current.set(this)
        try { return work() } finally { current.set(before) }
    }

    def propertyMissing(String name) {
        // Jenkins finds variables of the environment by their bare names too.
        if (variables.containsKey(name)) { return variables[name] }
        throw build.refuse('unknown property ' + name)
    }
}
