/** A Jenkinsfile. */
abstract class PipelineScript extends Script {
    Build build

    void pipeline(Closure body) { new Pipeline(build).read(body).run() }

    def methodMissing(String name, Object arguments) { throw build.refuse('unknown block ' + name) }
}
