/** What is accepted and, but for the last, not acted upon: a build here is alone and short. */
class Options extends Section {
    Options(Build build) { super(build) }
    void timeout(Map parameters) { build.only('timeout', parameters, ['time', 'unit', 'activity']) }
    void timestamps() {}
    void disableConcurrentBuilds(Map parameters) { build.only('disableConcurrentBuilds', parameters, ['abortPrevious']) }
    void skipStagesAfterUnstable() { build.skipsStagesAfterUnstable = true }
}
