/// Every statement that a page or a command is read with, in one place, so that a test can look at all their plans.
///
/// None of them may scan a table that grows with the history.
enum PageQuery: String, CaseIterable {
    case anyRun = "SELECT 1 FROM run LIMIT 1"

    case projects = "SELECT id, name FROM project ORDER BY name"

    case projectsOfSender = """
        SELECT count(*), coalesce(max(project.name = ?2), 0)
        FROM project_sender JOIN project ON project.id = project_sender.project WHERE token = ?1
        """

    case projectByName = "SELECT id FROM project WHERE name = ?1"

    case defaultBranch = "SELECT id, default_branch FROM project WHERE name = ?1"

    case runCount = "SELECT count(*) FROM run WHERE project = ?1"

    case runKey = "SELECT id, project, started_at FROM run WHERE identity = ?1"

    // Each project is asked for the run by an index that has both, so that a run of any other project is not even found.
    case projectOfRun = "SELECT project.name FROM run JOIN project ON project.id = run.project WHERE identity = ?1"

    case gapOfRun = """
        SELECT 1 FROM run CROSS JOIN finding ON finding.run = run.id
        WHERE identity = ?1 AND is_gap = 1 AND code = ?2 LIMIT 1
        """

    case selectionTrials = """
        SELECT run.identity, base, tests, deselected, time, deselected_time, failures, missed
        FROM run CROSS JOIN selection_trial ON selection_trial.run = run.id
        WHERE run.project = ?1 AND is_exact = ?3 ORDER BY run.started_at DESC, run.identity DESC LIMIT ?2
        """

    case testMapOfRun = "SELECT test_map FROM run WHERE identity = ?1 AND test_map IS NOT NULL"

    case latestTestMap = """
        SELECT identity FROM run WHERE project = ?1 AND test_map IS NOT NULL AND +is_exact >= ?2
        ORDER BY started_at DESC, identity DESC LIMIT 1
        """

    case summary = "SELECT * FROM run_summary WHERE identity = ?1"

    case summaries = "SELECT * FROM run_summary ORDER BY started_at DESC, identity DESC LIMIT ?1"

    case summariesBefore = """
        SELECT * FROM run_summary WHERE (started_at, identity) < (?1, ?2)
        ORDER BY started_at DESC, identity DESC LIMIT ?3
        """

    case summariesOfProject = """
        SELECT * FROM run_summary WHERE project = ?1 ORDER BY started_at DESC, identity DESC LIMIT ?2
        """

    case summariesOfProjectBefore = """
        SELECT * FROM run_summary WHERE project = ?1 AND (started_at, identity) < (?2, ?3)
        ORDER BY started_at DESC, identity DESC LIMIT ?4
        """

    case ownSummariesOfProject = """
        SELECT * FROM run_summary WHERE project = ?1 AND delivery IS NULL
        ORDER BY started_at DESC, identity DESC LIMIT ?2
        """

    /// Runs that answer for their tree.
    case trustedSummariesBefore = """
        SELECT * FROM run_summary WHERE project = ?1 AND is_exact = 1 AND (started_at, identity) < (?2, ?3)
        ORDER BY started_at DESC, identity DESC LIMIT ?4
        """

    case keysOfProject = """
        SELECT started_at, identity FROM run WHERE project = ?1 AND (started_at, identity) < (?2, ?3)
            AND (?4 IS NULL OR branch = ?4) AND (?5 IS NULL OR decision = ?5)
            AND (?6 IS NULL OR instr(author, ?6) > 0) AND started_at >= ?7
        ORDER BY started_at DESC, identity DESC LIMIT ?8
        """

    /// In any order: ?1 is what is compared, ?2 is −1 where the smallest comes first. Runs without coverage come last in
    /// both directions. It goes through the runs of the projects in ?3 by an index that has all of this, and reads only those of
    /// the page whole.
    case summariesSorted = """
        WITH ranked (id, identity, project, started_at, branch, decision, author, rank) AS NOT MATERIALIZED (
            SELECT id, identity, project, started_at, branch, decision, author,
                coalesce(?2 * CASE ?1
                    WHEN 'duration' THEN duration
                    WHEN 'verdict' THEN CASE decision WHEN 'failed' THEN 2 WHEN 'undecided' THEN 1 ELSE 0 END
                    WHEN 'coverage' THEN CASE WHEN lines_total > 0 THEN 1.0 * lines_covered / lines_total END
                    ELSE started_at
                END, -2)
            FROM run
        )
        SELECT run_summary.* FROM (
            SELECT ranked.id, rank
            FROM project CROSS JOIN ranked ON ranked.project = project.id
            WHERE project.id IN (SELECT value FROM json_each(?3)) AND started_at >= ?4 AND started_at < ?5
                AND (?6 IS NULL OR branch = ?6) AND (?7 IS NULL OR decision = ?7)
                AND (?8 IS NULL OR instr(author, ?8) > 0)
                AND (?9 IS NULL OR (rank, started_at, identity)
                    < (SELECT rank, started_at, identity FROM ranked WHERE identity = ?9))
            ORDER BY rank DESC, started_at DESC, identity DESC LIMIT ?10
        ) AS recent CROSS JOIN run_summary ON run_summary.id = recent.id
        ORDER BY recent.rank DESC, run_summary.started_at DESC, run_summary.identity DESC
        """

    case runsOfWorkingCopies = """
        SELECT * FROM run_summary WHERE project = ?1 AND is_of_branch = 0
        ORDER BY started_at DESC, identity DESC LIMIT ?2
        """

    case latestRunWithCoverage = """
        SELECT id, identity FROM run WHERE project = ?1 AND lines_total > 0 AND is_partial = 0
        ORDER BY is_exact DESC, started_at DESC, identity DESC LIMIT 1
        """

    case wholeRunsOfTree = """
        SELECT id, identity, toolchain FROM run
        WHERE tree_id = ?1 AND project = ?2 AND folder = ?4 AND is_partial = 0 AND is_exact = 1 AND lines_total > 0
            AND not_run = 0
            AND NOT EXISTS (SELECT 1 FROM finding WHERE finding.run = run.id AND is_gap = 1)
        ORDER BY failed + crashed + timed_out > 0, started_at DESC, identity DESC LIMIT ?3
        """

    // A plus keeps SQLite from an index of all runs of a project, here and wherever few of them are asked for: those of a tree, or those
    // with per-test coverage.

    /// The newest full run of a tree with the same inputs, and whether it is sure.
    case reusableRun = """
        SELECT identity, not_run = 0 AND exit_status <> 3 AND NOT EXISTS (
                SELECT 1 FROM finding
                WHERE finding.run = run.id AND (is_gap = 1 OR code IN ('submodule-missing', 'lfs-pointer'))
            )
        FROM run JOIN content ON content.id = run.inputs
        WHERE tree_id = ?1 AND project = ?2 AND began_at BETWEEN ?3 AND ?5 AND body = ?4
            AND is_partial = 0 AND +is_exact = 1
        ORDER BY +started_at DESC, identity DESC LIMIT 1
        """

    // ?3 is what the record of a delivery has in it if it is that of a token.
    case fullRunsOfTree = """
        SELECT * FROM run_summary WHERE tree_id = ?1 AND project = ?2 AND is_partial = 0
            AND folder = ?5 AND (is_exact = 1 OR instr(delivery, ?3) > 0)
        ORDER BY +is_exact DESC, started_at DESC, identity DESC LIMIT ?4
        """

    case doubtsOfRun = """
        SELECT inputs, origin,
            EXISTS (
                SELECT 1 FROM finding
                WHERE finding.run = run.id AND (is_gap = 1 OR code IN ('submodule-missing', 'lfs-pointer'))
            ),
            EXISTS (SELECT 1 FROM step WHERE step.run = run.id AND is_timed_out = 1),
            EXISTS (
                SELECT 1 FROM attempt JOIN notable ON notable.run = attempt.run AND notable.test = attempt.test
                WHERE attempt.run = run.id AND attempt.outcome IN (1, 2, 3) AND notable.outcome NOT IN (1, 2, 3)
            )
        FROM run WHERE identity = ?1
        """

    case runDetails = """
        SELECT run.id, run.toolchain, run.facts, run.unattributed,
            EXISTS (SELECT 1 FROM line_counts WHERE line_counts.run = run.id), run.selection, run.machine,
            run.inputs, run.source_digest, run.origin
        FROM run WHERE identity = ?1
        """

    case content = "SELECT body FROM content WHERE id = ?1"

    case steps = """
        SELECT kind, arguments, duration, exited, signaled, is_timed_out FROM step WHERE run = ?1 ORDER BY position
        """

    case findings = "SELECT code, subject, detail FROM finding WHERE run = ?1 AND is_gap = ?2 ORDER BY position"

    case diagnostics = """
        SELECT severity, message.body, path.body, line, utf8_column
        FROM diagnostic
        JOIN content AS message ON message.id = diagnostic.message
        LEFT JOIN content AS path ON path.id = diagnostic.path
        WHERE run = ?1 ORDER BY position
        """

    case results = "SELECT test_list, editions, endings, durations FROM run_results WHERE run = ?1"

    case test = """
        SELECT module, suite, name, discriminator, display_name, path.body, line, utf8_column, arguments, skip_reason,
            edition, suite_display_name, tags
        FROM test
        LEFT JOIN description ON description.test = test.id AND edition = ?2
        LEFT JOIN content AS path ON path.id = description.path
        WHERE test.id = ?1
        """

    case displayNames = """
        SELECT display_name, suite_display_name, tags FROM description WHERE test = ?1 AND edition <= ?2
        ORDER BY edition DESC LIMIT 1
        """

    case testIdentity = "SELECT module, suite, name, discriminator FROM test WHERE id = ?1"

    case failures = "SELECT test FROM notable WHERE run = ?1 AND outcome IN (1, 2, 3)"

    case failureOfTest = "SELECT outcome FROM notable WHERE run = ?1 AND test = ?2 AND outcome IN (1, 2, 3)"

    case notable = "SELECT test FROM notable WHERE run = ?1"

    case testListOfRun = "SELECT test_list FROM run_results WHERE run = ?1"

    case attempts = "SELECT outcome, duration FROM attempt WHERE run = ?1 AND test = ?2 ORDER BY number"

    case testsWithAttempts = "SELECT DISTINCT test FROM attempt WHERE run = ?1"

    case issues = """
        SELECT attempt, message.body, path.body, line, utf8_column, is_known, is_warning, argument.body, is_cancellation
        FROM issue
        JOIN content AS message ON message.id = issue.message
        LEFT JOIN content AS path ON path.id = issue.path
        LEFT JOIN content AS argument ON argument.id = issue.argument
        WHERE run = ?1 AND test = ?2 ORDER BY attempt, position
        """

    case testsWithIssues = "SELECT DISTINCT test FROM issue WHERE run = ?1"

    case attachments = "SELECT name, path, bytes FROM attachment WHERE run = ?1 AND test = ?2 ORDER BY position"

    case testsWithAttachments = "SELECT DISTINCT test FROM attachment WHERE run = ?1"

    case attachmentAtPath = "SELECT name, path, bytes FROM attachment WHERE run = ?1 AND path = ?2 LIMIT 1"

    case testListByDigest = "SELECT content FROM test_list WHERE project = ?1 AND digest = ?2"

    case coverage = "SELECT coverage FROM run WHERE id = ?1"

    case sourceFile = "SELECT path, module FROM source_file WHERE id = ?1"

    case filesAtPath = """
        SELECT source_file.id FROM run
        JOIN source_file ON source_file.project = run.project AND path = ?2
        WHERE run.id = ?1 AND run.coverage IS NOT NULL
        """

    case lineCounts = "SELECT body FROM line_counts WHERE run = ?1"

    case testByIdentity = """
        SELECT id FROM test WHERE project = ?1 AND module = ?2 AND suite = ?3 AND name = ?4 AND discriminator = ?5
        """

    case latestFullRuns = """
        SELECT id FROM run WHERE project = ?1 AND is_partial = 0 AND is_exact = 1
        ORDER BY started_at DESC, identity DESC LIMIT ?2
        """

    case history = """
        SELECT id, identity, started_at, commit_id, branch, is_of_branch, CASE WHEN is_exact THEN tree_id END,
            passed + failed + crashed + timed_out + skipped + known_issue + not_run
        FROM run WHERE project = ?1 AND is_exact = ?5 AND (started_at, identity) < (?2, ?3)
        ORDER BY started_at DESC, identity DESC LIMIT ?4
        """

    case past = """
        SELECT id, machine, identity, started_at, branch, commit_id, tree_id, author FROM run
        WHERE project = ?1 AND (started_at, identity) < (?2, ?3) AND is_partial = 0 AND is_exact = 1
        ORDER BY started_at DESC, identity DESC LIMIT ?4
        """

    /// The newest full runs that answer for their tree.
    case runsOfTrees = """
        SELECT id, tree_id, inputs FROM run
        WHERE project = ?1 AND is_exact = 1 AND is_partial = 0 AND tree_id IS NOT NULL
        ORDER BY started_at DESC, identity DESC LIMIT ?2
        """

    case culprits = "SELECT body FROM culprit WHERE project = ?1 ORDER BY found_at DESC, id DESC LIMIT ?2"

    case culpritsOfTest = """
        SELECT body FROM culprit WHERE project = ?1 AND test = ?2 ORDER BY +found_at DESC, id DESC LIMIT ?3
        """

    case culpritsOfCommit = """
        SELECT body FROM culprit WHERE project = ?1 AND commit_id = ?2 ORDER BY found_at DESC, id DESC LIMIT ?3
        """

    // Statuses 0 and 2: no test failed, and no evidence is missing.
    case earlierRunsOfSources = """
        SELECT coverage FROM run JOIN content AS toolchain ON toolchain.id = run.toolchain
        WHERE project = ?1 AND source_digest = ?2 AND (started_at, identity) < (?3, ?4)
            AND toolchain.body = ?5 AND (SELECT body FROM content WHERE content.id = run.selection) IS ?6
            AND is_partial = 0 AND exit_status IN (0, 2) AND coverage IS NOT NULL
            AND (is_exact = 1 OR delivery IS NULL)
        ORDER BY started_at DESC, identity DESC LIMIT ?7
        """

    case durationsOfFullRuns = """
        SELECT duration, machine FROM run
        WHERE project = ?1 AND is_partial = 0 AND decision <> 'undecided' AND exit_status <> 3
        ORDER BY started_at DESC, identity DESC LIMIT ?2
        """

    case probationFailureOfTest = "SELECT 1 FROM probation_failure WHERE run = ?1 AND test = ?2"

    case shards = "SELECT shard FROM run_shard WHERE run = ?1 ORDER BY position"

    // The times in the record of a delivery are seconds since 2001, as Foundation writes them.
    case deliveredRuns = """
        SELECT project.name, json_extract(CAST(origin.body AS TEXT), '$.host') AS host,
            json_extract(delivery, '$.token') AS token, json_extract(delivery, '$.isAttested') AS is_attested,
            is_dirty IS NULL OR (is_dirty = 0 AND tree_id IS NOT NULL) AS is_of_tree,
            count(*), CAST(max(json_extract(delivery, '$.receivedAt')) AS INTEGER),
            json_extract(delivery, '$.distrustedAt') IS NOT NULL AS is_distrusted
        FROM run
        JOIN project ON project.id = run.project
        LEFT JOIN content AS origin ON origin.id = run.origin
        WHERE run.project = ?2 AND started_at >= ?1 AND delivery IS NOT NULL
        GROUP BY project.id, host, token, is_attested, is_of_tree, is_distrusted
        ORDER BY 3, 7 DESC, 2
        """

    case latestFullRun = """
        SELECT id FROM run
        WHERE project = ?1 AND is_partial = 0 AND is_exact = 1 AND passed + failed + crashed + timed_out + known_issue > 0
        ORDER BY started_at DESC, identity DESC LIMIT 1
        """
}
