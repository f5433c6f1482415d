/** The steps of plugins that publish reports, by the few rules that decide what is published and the build's result. */
trait ReportSteps {
    abstract Build getBuild()
    abstract Facts getFacts()
    abstract void requireAgent(String step)

    void junit(Object pattern) { junit(testResults: pattern) }

    void junit(Map parameters) {
        build.only('junit', parameters, ['testResults', 'allowEmptyResults', 'stdioRetention', 'keepTestNames'])
        if (parameters.stdioRetention != null && !(parameters.stdioRetention in ['ALL', 'FAILED', 'NONE'])) {
            throw build.refuse('junit: stdioRetention ' + parameters.stdioRetention)
        }
        int tests = 0
        int failures = 0
        def files = published('junit', parameters.testResults)
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
        facts.add('junit ' + (tests - failures) + '/' + tests)
        if (failures > 0) { build.worsen('UNSTABLE') }
        if (tests == 0 && !parameters.allowEmptyResults) {
            throw new StepFailure(files ? 'None of the test reports contained any result' : 'No test report files were found')
        }
    }

    void recordCoverage(Map parameters) {
        build.only('recordCoverage', parameters, ['tools', 'enabledForFailure', 'failOnError', 'sourceCodeRetention'])
        if (parameters.sourceCodeRetention != null
            && !(parameters.sourceCodeRetention in ['NEVER', 'LAST_BUILD', 'EVERY_BUILD', 'MODIFIED'])) {
            throw build.refuse('recordCoverage: sourceCodeRetention ' + parameters.sourceCodeRetention)
        }
        if (build.result in ['FAILURE', 'ABORTED'] && !parameters.enabledForFailure) { return }
        int covered = 0
        int total = 0
        parameters.tools.each { tool ->
            build.only('recordCoverage', tool, ['parser', 'pattern'])
            if (tool.parser != 'COBERTURA') { throw build.refuse('recordCoverage: parser ' + tool.parser) }
            published('recordCoverage', tool.pattern).each { file ->
                def parser = new XmlSlurper(false, false, true)
                parser.setFeature('http://apache.org/xml/features/nonvalidating/load-external-dtd', false)
                // The lines of methods are those of their class once more: the plugin takes each from the class.
                parser.parse(file).'**'.findAll { it.name() == 'class' }.each { source ->
                    source.lines.line.each { line ->
                        total += 1
                        if (new BigInteger(line.@hits as String) > 0) { covered += 1 }
                    }
                }
            }
        }
        facts.add('coverage ' + covered + '/' + total)
    }

    void publishHTML(Map parameters) {
        def target = parameters.target ?: parameters
        if (parameters.target) { build.only('publishHTML', parameters, ['target']) }
        build.only('publishHTML', target, ['reportName', 'reportDir', 'reportFiles', 'keepAll', 'alwaysLinkToLastBuild',
            'allowMissing', 'reportTitles', 'includes', 'escapeUnderscores', 'useWrapperFileDirectly', 'icon'])
        def files = published('publishHTML', target.reportDir + '/**')
        def index = published('publishHTML', target.reportDir + '/' + target.reportFiles)
        facts.add('html ' + target.reportName + ' ' + files.size())
        if (!index && !target.allowMissing) { throw new StepFailure('Specified HTML directory does not exist') }
    }

    void archiveArtifacts(Object pattern) { archiveArtifacts(artifacts: pattern) }

    void archiveArtifacts(Map parameters) {
        build.only('archiveArtifacts', parameters, ['artifacts', 'allowEmptyArchive', 'fingerprint'])
        def count = published('archiveArtifacts', parameters.artifacts).size()
        facts.add('archived ' + count)
        if (count == 0 && !parameters.allowEmptyArchive) { throw new StepFailure('No artifacts found that match') }
    }

    private List<File> published(String step, Object pattern) {
        requireAgent(step)
        Trees.matching(folder, pattern)
    }
}
