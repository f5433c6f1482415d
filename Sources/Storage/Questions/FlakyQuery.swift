/// Every statement that tests are followed with over many runs: what failed, what passed at last, and where. The same holds for them as
/// for `PageQuery`.
enum FlakyQuery: String, CaseIterable {
    /// What failed on which tree, in runs that answer for it.
    case failuresOnTrees = """
        SELECT DISTINCT notable.test, tree_id FROM run
        JOIN notable ON notable.run = run.id AND outcome IN (1, 2, 3)
        WHERE run.project = ?1 AND started_at >= ?2 AND is_exact = 1 AND tree_id IS NOT NULL
        """

    /// Which attempts failed, in all runs that answer for their tree (?3 is 1), or in the newest ?4 others (0).
    case failedAttempts = """
        SELECT DISTINCT attempt.run, attempt.test, tree_id
        FROM (
            SELECT id, CASE WHEN is_exact THEN tree_id END AS tree_id FROM run
            WHERE project = ?1 AND is_exact = ?3 AND started_at >= ?2
            ORDER BY started_at DESC, identity DESC LIMIT ?4
        ) AS recent CROSS JOIN attempt ON attempt.run = recent.id AND outcome IN (1, 2, 3)
        LIMIT ?5
        """

    /// Which tests failed when they were repeated that had passed in the run itself; of the same runs.
    case probationFailures = """
        SELECT probation_failure.run, probation_failure.test, tree_id
        FROM (
            SELECT id, CASE WHEN is_exact THEN tree_id END AS tree_id FROM run
            WHERE project = ?1 AND is_exact = ?3 AND started_at >= ?2
            ORDER BY started_at DESC, identity DESC LIMIT ?4
        ) AS recent CROSS JOIN probation_failure ON probation_failure.run = recent.id
        LIMIT ?5
        """

    /// How the tests of runs ended, the newest run first: all runs that answer for their tree (?3 is 1), or the newest ?4 others (0).
    case endingsSince = """
        SELECT run.id, identity, branch, CASE WHEN is_exact THEN tree_id END, test_list, endings, started_at,
            passed + failed + crashed + timed_out + skipped + known_issue + not_run
        FROM run JOIN run_results ON run_results.run = run.id
        WHERE run.project = ?1 AND is_exact = ?3 AND started_at >= ?2
            AND NOT EXISTS (
                SELECT 1 FROM run_shard CROSS JOIN run AS merged ON merged.id = run_shard.run
                WHERE shard = run.identity AND merged.project = ?1 AND merged.is_exact >= ?3
            )
        ORDER BY started_at DESC, identity DESC LIMIT ?4
        """

    /// How the tests of runs ended and where they ran, the newest run first: the newest ?4 before one of the runs that answer for their
    /// tree (?3 is 1), or of all others (0).
    case executionsSince = """
        SELECT run.id, identity, branch, CASE WHEN is_exact THEN tree_id END, test_list, endings, started_at, began_at,
            commit_id, machine, toolchain, origin, passed + failed + crashed + timed_out + known_issue,
            passed + failed + crashed + timed_out + skipped + known_issue + not_run
        FROM run JOIN run_results ON run_results.run = run.id
        WHERE run.project = ?1 AND is_exact = ?3 AND started_at >= ?2 AND (started_at, identity) < (?5, ?6)
            AND NOT EXISTS (
                SELECT 1 FROM run_shard CROSS JOIN run AS merged ON merged.id = run_shard.run
                WHERE shard = run.identity AND merged.project = ?1 AND merged.is_exact >= ?3
            )
        ORDER BY started_at DESC, identity DESC LIMIT ?4
        """

    /// The runs that answer for their tree: all, those that passed, and those of them in which a test passed after an attempt that
    /// failed. A shard counts with the run that it was merged into.
    case runsSince = """
        SELECT count(*), coalesce(sum(decision = 'passed'), 0), coalesce(sum(decision = 'passed' AND recovered > 0), 0)
        FROM run
        WHERE project = ?1 AND is_exact = 1 AND started_at >= ?2
            AND NOT EXISTS (
                SELECT 1 FROM run_shard CROSS JOIN run AS merged ON merged.id = run_shard.run
                WHERE shard = run.identity AND merged.project = ?1 AND merged.is_exact >= 1
            )
        """

    // The index has only what is counted; without a word SQLite prefers one that has all runs.
    case hiddenFlakesSince = """
        SELECT count(*) FROM run INDEXED BY run_by_recovery
        WHERE project = ?1 AND started_at >= ?2 AND is_exact = 1 AND decision = 'passed' AND recovered > 0
            AND NOT EXISTS (
                SELECT 1 FROM run_shard CROSS JOIN run AS merged ON merged.id = run_shard.run
                WHERE shard = run.identity AND merged.project = ?1 AND merged.is_exact >= 1
            )
        """
}
