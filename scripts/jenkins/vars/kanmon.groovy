// The checkpoint as one step of a Jenkins pipeline: runs the gate, publishes what it found, and ends the build as the
// verdict says. docs/jenkins.md shows it in whole pipelines.
//
//     kanmon()                          build, test and judge here
//     kanmon(shard: env.SHARD, of: 3)   one shard: test and stash what was recorded; no verdict yet
//     kanmon(shards: 3)                 merge the shards, then judge as above
//     kanmon(server: 'https://kanmon.example.com', credentialsId: 'kanmon')   and deliver the run to a server
//
// What is published is published whatever the verdict, after an abort too. No value ever becomes part of a shell script:
// the one script there is takes its words from the environment.

import groovy.transform.Field

@Field final Map DEFAULTS = [
    // The program; a path is relative to the workspace.
    command: 'kanmon',
    // The package's folder.
    packagePath: '.',
    // The folder for reports; it is wiped.
    out: 'ci-out',
    // More arguments of `kanmon run`.
    arguments: [],
    // Run only this shard of the total, and stash it.
    shard: null,
    of: null,
    // Merge this number of shards.
    shards: null,
    // The statuses (1: tests failed, 2: a rule is violated) that make the build unstable instead of failed.
    unstableOn: [],
    // What is published: the JUnit, Coverage and HTML Publisher plugins are needed.
    junit: true,
    coverage: true,
    html: true,
    archive: true,
    // The server that the run is delivered to, and the id of the secret text in Jenkins that is its token.
    server: null,
    credentialsId: null,
    // The title of the report in Jenkins.
    title: 'Kanmon',
]

@Field final Map MEANINGS = [
    1: 'one or more tests failed',
    2: 'a rule of the gate is violated',
    3: 'the package or its tests do not compile',
    4: 'evidence is missing, cut short, stale or contradictory',
    5: 'no test ran',
    74: 'the file system or the database failed, or the run was not delivered',
]

def call(Map given = [:]) {
    Map settings = checked(given)
    if (settings.shard != null) {
        runShard(settings)
    } else if (settings.shards != null) {
        mergeShards(settings)
    } else {
        judge(settings, runWords(settings))
    }
}

private Map checked(Map given) {
    List unknown = (given.keySet() - DEFAULTS.keySet()).toList()
    if (!unknown.isEmpty()) {
        error('kanmon: unknown parameter ' + unknown.join(', ') + '; there are ' + DEFAULTS.keySet().join(', '))
    }
    Map settings = DEFAULTS + given
    if (!(settings.unstableOn - [1, 2]).isEmpty()) {
        error('kanmon: unstableOn may contain 1 and 2; no other status is a verdict')
    }
    if ((settings.shard == null) != (settings.of == null)) { error('kanmon: shard and of belong together') }
    if (settings.shard != null && settings.shards != null) { error('kanmon: a shard does not merge shards') }
    if ((settings.server == null) != (settings.credentialsId == null)) {
        error('kanmon: server and credentialsId belong together')
    }
    return settings
}

private List runWords(Map settings) {
    return [settings.command, 'run', '--package-path', settings.packagePath, '--out', settings.out] + settings.arguments
}

// Judges the shards that were stashed. They lie beside the checkout and only for as long: a file that git does not know
// would make the files of the next run those of no commit.
private void mergeShards(Map settings) {
    String folder = pwd(tmp: true) + '/kanmon-shards'
    try {
        judge(settings, mergeWords(settings, folder))
    } finally {
        dir(folder) { deleteDir() }
    }
}

// The shards that were stashed, merged; one that was lost is missing in the words, and the gate says so.
private List mergeWords(Map settings, String shards) {
    int count = settings.shards.toString().toInteger()
    List found = []
    for (int index = 1; index <= count; index += 1) {
        String folder = shards + '/' + index
        try {
            dir(folder) {
                deleteDir()
                unstash('kanmon-shard-' + index)
            }
            String run = folder + '/' + settings.out + '/run'
            if (fileExists(run + '/manifest.json')) { found.add(run) }
        } catch (org.jenkinsci.plugins.workflow.steps.FlowInterruptedException interruption) {
            throw interruption
        } catch (Exception lost) {
            echo('kanmon: shard ' + index + ' of ' + count + ' is lost: ' + lost.message)
        }
    }
    return [settings.command, 'merge'] + found + ['--expect-shards', count, '--out', settings.out]
}

// Tests one shard and stashes its evidence. What the tests say is judged, and delivered, when all shards are together.
private void runShard(Map settings) {
    String name = 'kanmon-shard-' + settings.shard
    int status = 70
    try {
        status = execute(runWords(settings) + ['--shard', settings.shard + '/' + settings.of])
    } finally {
        stash(name: name, includes: settings.out + '/run/**', allowEmpty: true)
    }
    // A build that failed is a result, and every shard would repeat it; a shard that could not run is not.
    if (status > 5) { error('kanmon: shard ' + settings.shard + ' could not run (exit status ' + status + ')') }
}

private void judge(Map settings, List words) {
    int status = 70
    boolean isPublished = false
    try {
        status = execute(words, settings)
    } finally {
        isPublished = publish(settings, status)
    }
    String sentence = 'kanmon: ' + MEANINGS.get(status, 'it could not judge') + ' (exit status ' + status + ')'
    if (status in settings.unstableOn) { unstable(sentence) } else if (status != 0) { error(sentence) }
    // Jenkins would still run the next stage: the failure was caught, so that the other parts could run.
    if (!isPublished) { error('kanmon: not everything was published, see above') }
}

// Runs a command line and returns its exit status. The script is the same for all: a word is a line of the variable. With a
// server its token is in the environment too, and becomes part of no script and of no string of Groovy.
private int execute(List words, Map settings = [:]) {
    if (words.any { it.toString().isEmpty() || it.toString().contains('\n') }) {
        error('kanmon: an argument is empty or has a line break')
    }
    String script = '''
        set -f
        IFS='
'
        exec $KANMON_WORDS
    '''
    List variables = ['KANMON_WORDS=' + words.join('\n')]
    int status = 70
    if (settings.server == null) {
        withEnv(variables) { status = sh(label: 'kanmon', returnStatus: true, script: script) }
        return status
    }
    withEnv(variables + ['KANMON_SERVER=' + settings.server]) {
        withCredentials([string(credentialsId: settings.credentialsId, variable: 'KANMON_TOKEN')]) {
            status = sh(label: 'kanmon', returnStatus: true, script: script)
        }
    }
    return status
}

// Publishes what there is. A run that failed may have left nothing; one that passed must have left everything. Returns
// whether every publication worked.
private boolean publish(Map settings, int status) {
    boolean mayBeMissing = status != 0
    boolean isPublished = true
    if (settings.junit) {
        isPublished = attempt {
            junit(testResults: settings.out + '/junit/TEST-*.xml', stdioRetention: 'FAILED', keepTestNames: true,
                allowEmptyResults: mayBeMissing)
        } && isPublished
    }
    if (settings.coverage) {
        isPublished = attempt {
            recordCoverage(tools: [[parser: 'COBERTURA', pattern: settings.out + '/cobertura.xml']], enabledForFailure: true,
                sourceCodeRetention: 'MODIFIED')
        } && isPublished
    }
    if (settings.html) {
        isPublished = attempt {
            publishHTML(target: [reportName: settings.title, reportDir: settings.out + '/html', reportFiles: 'index.html',
                keepAll: true, alwaysLinkToLastBuild: true, allowMissing: mayBeMissing])
        } && isPublished
    }
    if (settings.archive) {
        isPublished = attempt {
            archiveArtifacts(artifacts: settings.out + '/**', allowEmptyArchive: mayBeMissing)
        } && isPublished
    }
    return isPublished
}

// One publication that fails must not keep the others from being tried, and must not pass unseen. Returns whether it worked.
private boolean attempt(Closure publication) {
    boolean isDone = false
    catchError(buildResult: 'FAILURE', stageResult: 'FAILURE', catchInterruptions: false) {
        publication()
        isDone = true
    }
    return isDone
}

return this
