/** A Jenkinsfile. */
abstract class PipelineScript extends Script {
    Build build

    void pipeline(Closure body) { new Pipeline(build).read(body).run() }

    /** A library that the pipeline fetches by itself. The emulator has one clone, whatever address is given. */
    void library(Map parameters) {
        build.only('library', parameters, ['identifier', 'retriever', 'changelog'])
        if (!parameters.identifier || !parameters.retriever) { throw build.refuse('library: needs identifier and retriever') }
        build.ask(parameters.identifier.toString().split('@')[0], parameters.retriever.libraryPath ?: '/')
    }

    Map modernSCM(Map parameters) {
        build.only('modernSCM', parameters, ['scm', 'libraryPath', 'clone'])
        if (parameters.scm?.get('$class') != 'GitSCMSource') { throw build.refuse('modernSCM: unknown scm ' + parameters.scm) }
        build.only('GitSCMSource', parameters.scm, ['$class', 'remote', 'credentialsId'])
        parameters
    }

    def methodMissing(String name, Object arguments) { throw build.refuse('unknown block ' + name) }
}
