package org.jenkinsci.plugins.workflow.steps

/** Somebody ended the build, or a time limit did: named as in Jenkins, because libraries catch it by its name. */
class FlowInterruptedException extends RuntimeException {
    FlowInterruptedException(String message) { super(message) }
}
