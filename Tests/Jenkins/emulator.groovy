// An emulator of declarative Jenkins pipelines: it executes a Jenkinsfile on this machine, with the semantics of the
// steps and sections that this project uses. It is not Jenkins. What it does not know it refuses, with exit status 64,
// so that a pipeline cannot pass here by using what was never emulated.
//
// groovy emulator.groovy JENKINSFILE CHECKOUT FOLDER
//
// CHECKOUT is copied into a workspace under FOLDER for every agent. At the end it prints what was published and the
// result, one fact a line; its exit status is 0 for SUCCESS, 2 for UNSTABLE, 1 for anything worse.

import java.nio.file.FileSystems
import java.nio.file.Files
import java.nio.file.StandardCopyOption
import org.codehaus.groovy.control.CompilerConfiguration

/** A step failed; the build goes on as Jenkins says: no further stage, but every post block. */
class StepFailure extends RuntimeException {
    StepFailure(String message) { super(message) }
}

/** The pipeline uses what is not emulated. */
class Refusal extends RuntimeException {
    Refusal(String message) { super(message) }
}

class Build {
    static final List<String> ORDER = ['SUCCESS', 'UNSTABLE', 'FAILURE', 'ABORTED']
    final File checkout
    final File folder
    final List<String> facts = []
    final List<String> refusals = []
    String result = 'SUCCESS'

    Build(File checkout, File folder) {
        this.checkout = checkout
        this.folder = folder
    }

    void worsen(String other) {
        if (ORDER.indexOf(other) > ORDER.indexOf(result)) { result = other }
    }

    Refusal refuse(String message) {
        refusals << message
        new Refusal(message)
    }

    void only(String name, Map given, List<String> known) {
        def unknown = given.keySet() - known
        if (unknown) { throw refuse(name + ': unknown parameter ' + unknown.join(', ')) }
    }

    /** An agent: a new folder with the checkout in it, which no other agent sees. */
    File workspace(String name) {
        def workspace = new File(folder, name.replaceAll(/\W+/, '-'))
        Files.walk(checkout.toPath()).forEach { source ->
            def target = workspace.toPath().resolve(checkout.toPath().relativize(source))
            if (Files.isDirectory(source)) {
                Files.createDirectories(target)
            } else {
                Files.copy(source, target, StandardCopyOption.COPY_ATTRIBUTES)
            }
        }
        workspace
    }
}

/** What a pipeline may call inside of `steps` and post conditions. */
class Steps {
    private final Build build
    private final File workspace
    private final String stage

    Steps(Build build, File workspace, String stage) {
        this.build = build
        this.workspace = workspace
        this.stage = stage
    }

    Map getCurrentBuild() { [currentResult: build.result].asImmutable() }

    def script(Closure body) { run(body) }

    def run(Closure body) {
        def copy = body.rehydrate(this, body.owner, body.thisObject)
        copy.resolveStrategy = Closure.DELEGATE_FIRST
        copy()
    }

    void echo(String message) { println '[' + stage + '] ' + message }

    void error(String message) { throw new StepFailure(message) }

    void unstable(String message) {
        echo('WARNING: ' + message)
        build.worsen('UNSTABLE')
    }

    void catchError(Map parameters = [:], Closure body) {
        build.only('catchError', parameters, ['buildResult', 'stageResult', 'message', 'catchInterruptions'])
        try {
            run(body)
        } catch (StepFailure failure) {
            echo('ERROR: ' + failure.message)
            build.worsen(parameters.buildResult ?: 'FAILURE')
        }
    }

    def sh(Object script) { sh(script: script) }

    def sh(Map parameters) {
        build.only('sh', parameters, ['script', 'returnStatus', 'label'])
        if (parameters.script instanceof GString) { throw build.refuse('sh: Groovy interpolates into the script') }
        if (workspace == null) { throw new StepFailure('sh needs an agent') }
        def builder = new ProcessBuilder('/bin/sh', '-xe', '-c', parameters.script as String)
        builder.directory(workspace).redirectErrorStream(true)
        builder.environment().putAll(
            [WORKSPACE: workspace.path, BUILD_NUMBER: '1', JENKINS_URL: 'http://emulator/', CI: 'true', STAGE_NAME: stage])
        def process = builder.start()
        process.outputStream.close()
        process.inputStream.eachLine { echo(it) }
        def status = process.waitFor()
        if (parameters.returnStatus) { return status }
        if (status != 0) { throw new StepFailure('script returned exit code ' + status) }
    }

    void junit(Map parameters) {
        build.only('junit', parameters, ['testResults', 'allowEmptyResults', 'stdioRetention', 'keepTestNames'])
        int tests = 0
        int failures = 0
        def files = files(parameters.testResults)
        files.each { file ->
            try {
                new XmlSlurper().parse(file).'**'.findAll { it.name() == 'testcase' }.each { test ->
                    tests += 1
                    // Skipped wins over failed, as it does in Jenkins.
                    if (test.skipped.isEmpty() && !(test.failure.isEmpty() && test.error.isEmpty())) { failures += 1 }
                }
            } catch (org.xml.sax.SAXException ignored) {
                // Jenkins shows a file that it cannot read as one failed test.
                tests += 1
                failures += 1
            }
        }
        build.facts << ('junit ' + (tests - failures) + '/' + tests)
        if (failures > 0) { build.worsen('UNSTABLE') }
        if (tests == 0 && !parameters.allowEmptyResults) {
            throw new StepFailure(files ? 'None of the test reports contained any result' : 'No test report files were found')
        }
    }

    void recordCoverage(Map parameters) {
        build.only('recordCoverage', parameters, ['tools', 'enabledForFailure', 'failOnError', 'sourceCodeRetention'])
        if (build.result == 'FAILURE' && !parameters.enabledForFailure) { return }
        int covered = 0
        int total = 0
        parameters.tools.each { tool ->
            build.only('recordCoverage', tool, ['parser', 'pattern'])
            if (tool.parser != 'COBERTURA') { throw build.refuse('recordCoverage: parser ' + tool.parser) }
            files(tool.pattern).each { file ->
                def parser = new XmlSlurper(false, false, true)
                parser.setFeature('http://apache.org/xml/features/nonvalidating/load-external-dtd', false)
                parser.parse(file).'**'.findAll { it.name() == 'line' }.each { line ->
                    total += 1
                    if (new BigInteger(line.@hits as String) > 0) { covered += 1 }
                }
            }
        }
        build.facts << ('coverage ' + covered + '/' + total)
    }

    void archiveArtifacts(Map parameters) {
        build.only('archiveArtifacts', parameters, ['artifacts', 'allowEmptyArchive', 'fingerprint'])
        def count = files(parameters.artifacts).size()
        build.facts << ('archived ' + count)
        if (count == 0 && !parameters.allowEmptyArchive) { throw new StepFailure('No artifacts found that match') }
    }

    private List<File> files(String pattern) {
        def matcher = FileSystems.default.getPathMatcher('glob:' + pattern)
        def files = []
        workspace.eachFileRecurse { if (it.isFile() && matcher.matches(workspace.toPath().relativize(it.toPath()))) { files << it } }
        files.sort()
    }

    def methodMissing(String name, Object arguments) { throw build.refuse('unknown step ' + name) }
    def propertyMissing(String name) { throw build.refuse('unknown property ' + name) }
}

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

/** Accepted and not acted upon: a build here is alone and short. */
class Options extends Section {
    Options(Build build) { super(build) }
    void timeout(Map parameters) { build.only('timeout', parameters, ['time', 'unit']) }
    void disableConcurrentBuilds(Map parameters) { build.only('disableConcurrentBuilds', parameters, ['abortPrevious']) }
}

class Post extends Section {
    /** In the order in which Jenkins runs them; those that look at the build before this one are not emulated. */
    static final Map<String, Closure<Boolean>> CONDITIONS = [
        always: { true },
        aborted: { it == 'ABORTED' },
        success: { it == 'SUCCESS' },
        unsuccessful: { it != 'SUCCESS' },
        unstable: { it == 'UNSTABLE' },
        failure: { it == 'FAILURE' },
        cleanup: { true },
    ]
    private final Map<String, Closure> bodies = [:]

    Post(Build build) { super(build) }

    def methodMissing(String name, Object arguments) {
        if (!CONDITIONS.containsKey(name)) { throw build.refuse('post: unknown condition ' + name) }
        bodies[name] = arguments[0]
    }

    /** Whether nothing failed in it. */
    boolean run(Steps steps) {
        boolean isFine = true
        CONDITIONS.each { name, holds ->
            if (!bodies.containsKey(name) || !holds(build.result)) { return }
            build.facts << ('post ' + name)
            try {
                steps.run(bodies[name])
            } catch (StepFailure failure) {
                steps.echo('ERROR in post condition ' + name + ': ' + failure.message)
                build.worsen('FAILURE')
                isFine = false
            }
        }
        isFine
    }
}

class Stages extends Section {
    final List<Stage> stages = []
    Stages(Build build) { super(build) }
    void stage(String name, Closure body) { stages << new Stage(build, name).read(body) }
}

/** What a pipeline and a stage have in common. */
abstract class Block extends Section {
    protected String agent
    protected Post post

    Block(Build build) { super(build) }

    String getAny() { 'any' }
    String getNone() { 'none' }
    void agent(String kind) { agent = kind }
    void post(Closure body) { post = new Post(build).read(body) }
    void options(Closure body) { new Options(build).read(body) }
}

class Stage extends Block {
    final String name
    private Closure body

    Stage(Build build, String name) {
        super(build)
        this.name = name
    }

    void steps(Closure body) { this.body = body }

    /** Whether the next stage may run. That a failure was thrown decides, not the result: `catchError` goes on. */
    boolean run(File inherited) {
        if (body == null) { throw build.refuse('stage ' + name + ': no steps') }
        def own = agent == null ? inherited : (agent == 'none' ? null : build.workspace(name))
        def steps = new Steps(build, own, name)
        boolean mayContinue = true
        build.facts << ('stage ' + name)
        try {
            steps.run(body)
        } catch (StepFailure failure) {
            steps.echo('ERROR: ' + failure.message)
            build.worsen('FAILURE')
            mayContinue = false
        }
        if (post != null && !post.run(steps)) { mayContinue = false }
        mayContinue
    }
}

class Pipeline extends Block {
    private List<Stage> all = []

    Pipeline(Build build) { super(build) }

    void stages(Closure body) { all = new Stages(build).read(body).stages }

    void run() {
        if (agent == null) { throw build.refuse('pipeline: no agent') }
        if (!all) { throw build.refuse('pipeline: no stages') }
        def workspace = agent == 'none' ? null : build.workspace('pipeline')
        all.every { it.run(workspace) }
        post?.run(new Steps(build, workspace, 'post'))
    }
}

abstract class PipelineScript extends Script {
    Build build
    void pipeline(Closure body) { new Pipeline(build).read(body).run() }
    def methodMissing(String name, Object arguments) { throw build.refuse('unknown block ' + name) }
}

def configuration = new CompilerConfiguration(scriptBaseClass: PipelineScript.name)
def build = new Build(new File(args[1]).canonicalFile, new File(args[2]).canonicalFile)
def file = new GroovyShell(getClass().classLoader, new Binding(), configuration).parse(new File(args[0]).getText('UTF-8'), 'WorkflowScript')
// Not `file.build`: a script keeps that among its variables.
file.setBuild(build)
try {
    file.run()
} catch (Refusal ignored) {
    // Told below, together with those that the pipeline caught.
}
build.refusals.each { println 'refused ' + it }
build.facts.each { println it }
println 'result ' + build.result
System.exit(build.refusals ? 64 : [SUCCESS: 0, UNSTABLE: 2].get(build.result, 1))
