// An emulator of declarative Jenkins pipelines: it executes a Jenkinsfile on this machine, with the semantics of the
// steps and sections that this project uses. It is not Jenkins. What it does not know it refuses, with exit status 64,
// so that a pipeline cannot pass here by using what was never emulated.
//
// groovy -cp Tests/Jenkins/emulator emulator.groovy JENKINSFILE CHECKOUT FOLDER [LIBRARY [NAME=VALUE…]]
//
// CHECKOUT is copied into a workspace under FOLDER for every agent. LIBRARY is the folder of the shared library `kanmon`;
// the variables are those of the build. At the end it prints what was published and the result, one fact a line; its
// exit status is 0 for SUCCESS, 2 for UNSTABLE, 1 for anything worse.

import org.codehaus.groovy.control.CompilerConfiguration

def environment = args.drop(4).collectEntries { it.split('=', 2) as List }
def library = args.length > 3 ? new File(args[3]).canonicalFile : null
def build = new Build(new File(args[1]).canonicalFile, new File(args[2]).canonicalFile, library, environment)
build.folder.mkdirs()

def text = new File(args[0]).getText('UTF-8')
try {
    text.eachMatch(/@Library\('([^']*)'\)/) { build.ask(it[1]) }
    def configuration = new CompilerConfiguration(scriptBaseClass: PipelineScript.name)
    def file = new GroovyShell(PipelineScript.classLoader, new Binding(), configuration).parse(text, 'WorkflowScript')
    // Not `file.build`: a script keeps that among its variables.
    file.setBuild(build)
    file.run()
} catch (Refusal ignored) {
    // Told below, together with those that the pipeline caught.
}
build.refusals.each { println 'refused ' + it }
build.facts.lines().each { println it }
println 'result ' + build.result
System.exit(build.refusals ? 64 : [SUCCESS: 0, UNSTABLE: 2].get(build.result, 1))
