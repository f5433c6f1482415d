import java.util.concurrent.Callable
import java.util.concurrent.ExecutionException
import java.util.concurrent.Executors

/** Work that is done at once. */
class Branches {
    /** Runs `work` for every item in a thread of its own; whether all of them may continue. */
    static boolean run(List items, Facts facts, Closure<Boolean> work) {
        def pool = Executors.newFixedThreadPool(Math.max(1, items.size()))
        try {
            def futures = items.collect { item ->
                def branch = facts.branch()
                pool.submit({ work(item, branch) } as Callable)
            }
            // Every branch ends before the stage does, also when another failed.
            def results = futures.collect { future ->
                try { future.get() } catch (ExecutionException problem) { problem.cause }
            }
            def problem = results.find { it instanceof Throwable }
            if (problem != null) { throw problem }
            return results.every { it }
        } finally {
            pool.shutdown()
        }
    }
}
