/// Every statement that a page or a command is read with, in one place, so that a test can look at all their plans.
///
/// None of them may scan a table that grows with the history.
enum PageQuery: String, CaseIterable {
    case anyRun = "SELECT 1 FROM run LIMIT 1"

    case projects = "SELECT id, name FROM project ORDER BY name"

    case projectByName = "SELECT id FROM project WHERE name = ?1"

    case runCount = "SELECT count(*) FROM run WHERE project = ?1"

    case runKey = "SELECT id, project, started_at FROM run WHERE identity = ?1"

    case summary = "SELECT * FROM run_summary WHERE identity = ?1"

    case summaries = """
        SELECT * FROM run_summary ORDER BY started_at DESC, identity DESC LIMIT ?1
        """

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

    case summariesOfBranch = """
        SELECT * FROM run_summary WHERE project = ?1 AND branch = ?2
        ORDER BY started_at DESC, identity DESC LIMIT ?3
        """

    case branches = """
        WITH RECURSIVE walk (branch) AS (
            SELECT min(branch) FROM run WHERE project = ?1
            UNION ALL
            SELECT (SELECT min(branch) FROM run WHERE project = ?1 AND branch > walk.branch)
            FROM walk WHERE walk.branch IS NOT NULL
        )
        SELECT branch FROM walk WHERE branch IS NOT NULL LIMIT ?2
        """

    case modulesOfRuns = """
        SELECT identity, name, lines_covered, lines_total
        FROM (
            SELECT id, identity FROM run WHERE project = ?1 AND branch IS ?2
            ORDER BY started_at DESC, identity DESC LIMIT ?3
        ) AS recent JOIN run_module ON run_module.run = recent.id
        WHERE is_measured = 1 ORDER BY identity, position
        """

    case violations = """
        SELECT
            CASE kind.key
                WHEN 'coverageMissed' THEN (SELECT rule.key FROM json_each(kind.value, '$._0.rule') AS rule)
                ELSE kind.key
            END,
            count(*)
        FROM run
        JOIN verdict ON verdict.run = run.id
        JOIN json_each(verdict.body, '$.violations') AS violation
        JOIN json_each(violation.value) AS kind
        WHERE identity = ?1 GROUP BY 1
        """

    case latestRunWithCoverage = """
        SELECT id, identity FROM run WHERE project = ?1 AND lines_total > 0 AND is_partial = 0
        ORDER BY started_at DESC, identity DESC LIMIT 1
        """

    case pathsOfRun = """
        SELECT source_file.path
        FROM run_file
        JOIN file_coverage ON file_coverage.id = run_file.coverage
        JOIN source_file ON source_file.id = file_coverage.file
        WHERE run_file.run = ?1 ORDER BY run_file.position
        """

    case summariesOfCommit = """
        SELECT * FROM run_summary WHERE commit_id >= ?1 AND commit_id < ?2
        ORDER BY started_at DESC, identity DESC LIMIT ?3
        """

    case wholeRunsOfTree = """
        SELECT id, identity, toolchain FROM run
        WHERE tree_id = ?1 AND project = ?2 AND is_partial = 0 AND lines_total > 0 AND not_run = 0
            AND NOT EXISTS (SELECT 1 FROM finding WHERE finding.run = run.id AND is_gap = 1)
        ORDER BY failed + crashed + timed_out > 0, started_at DESC, identity DESC LIMIT ?3
        """

    case summariesOfTree = """
        SELECT * FROM run_summary WHERE tree_id = ?1 AND project = ?2
        ORDER BY started_at DESC, identity DESC LIMIT ?3
        """

    case reusableRun = """
        SELECT identity FROM run JOIN content ON content.id = run.inputs
        WHERE tree_id = ?1 AND project = ?2 AND started_at >= ?3 AND body = ?4
            AND is_partial = 0 AND is_dirty = 0 AND not_run = 0 AND exit_status <> 3
            AND NOT EXISTS (
                SELECT 1 FROM finding
                WHERE finding.run = run.id AND (is_gap = 1 OR code IN ('submodule-missing', 'lfs-pointer'))
            )
        ORDER BY started_at DESC, identity DESC LIMIT 1
        """

    case verdictOfRun = "SELECT body FROM verdict JOIN run ON run.id = verdict.run WHERE identity = ?1"

    case identitiesByPrefix = """
        SELECT identity FROM run WHERE identity >= ?1 AND identity < ?2 ORDER BY identity DESC LIMIT ?3
        """

    case identitiesBySuffix = """
        SELECT identity FROM run WHERE tail >= ?1 AND tail < ?2 ORDER BY identity DESC LIMIT ?3
        """

    case runDetails = """
        SELECT run.id, run.toolchain, run.modules, run.unattributed, verdict.body,
            EXISTS (SELECT 1 FROM line_counts WHERE line_counts.run = run.id), run.selection, run.machine,
            run.inputs
        FROM run JOIN verdict ON verdict.run = run.id WHERE identity = ?1
        """

    case content = "SELECT body FROM content WHERE id = ?1"

    case steps = """
        SELECT kind, arguments, duration, exited, signaled, is_timed_out FROM step WHERE run = ?1 ORDER BY position
        """

    case findings = """
        SELECT code, subject, detail FROM finding WHERE run = ?1 AND is_gap = ?2 ORDER BY position
        """

    case diagnostics = """
        SELECT severity, message.body, path.body, line, utf8_column
        FROM diagnostic
        JOIN content AS message ON message.id = diagnostic.message
        LEFT JOIN content AS path ON path.id = diagnostic.path
        WHERE run = ?1 ORDER BY position
        """

    case results = """
        SELECT result.test, module, suite, name, discriminator, library, display_name, path.body, line, utf8_column,
            arguments, skip_reason, outcome, attempts, duration
        FROM result
        JOIN test ON test.id = result.test
        JOIN description ON description.id = result.description
        LEFT JOIN content AS path ON path.id = description.path
        WHERE run = ?1 ORDER BY module, suite, name, discriminator
        """

    case failures = """
        SELECT result.test, module, suite, name, discriminator, library, display_name, path.body, line, utf8_column,
            arguments, skip_reason, outcome, attempts, duration
        FROM result INDEXED BY result_failed
        JOIN test ON test.id = result.test
        JOIN description ON description.id = result.description
        LEFT JOIN content AS path ON path.id = description.path
        WHERE run = ?1 AND outcome IN (1, 2, 3) ORDER BY module, suite, name, discriminator
        """

    case attempts = """
        SELECT outcome, duration FROM attempt WHERE run = ?1 AND test = ?2 ORDER BY number
        """

    case testsWithAttempts = "SELECT DISTINCT test FROM attempt WHERE run = ?1"

    case issues = """
        SELECT attempt, message.body, path.body, line, utf8_column, is_known, is_warning, argument.body
        FROM issue
        JOIN content AS message ON message.id = issue.message
        LEFT JOIN content AS path ON path.id = issue.path
        LEFT JOIN content AS argument ON argument.id = issue.argument
        WHERE run = ?1 AND test = ?2 ORDER BY attempt, position
        """

    case testsWithIssues = "SELECT DISTINCT test FROM issue WHERE run = ?1"

    case files = """
        SELECT source_file.path, module, source_hash, line_states, lines_covered, lines_total,
            regions_covered, regions_total, functions_covered, functions_total, counts
        FROM run_file
        JOIN file_coverage ON file_coverage.id = run_file.coverage
        JOIN source_file ON source_file.id = file_coverage.file
        LEFT JOIN line_counts ON line_counts.run = run_file.run AND line_counts.position = run_file.position
        WHERE run_file.run = ?1 ORDER BY run_file.position
        """

    case filesAtPath = """
        SELECT source_file.path, module, source_hash, line_states, lines_covered, lines_total,
            regions_covered, regions_total, functions_covered, functions_total, counts
        FROM run_file
        JOIN file_coverage ON file_coverage.id = run_file.coverage
        JOIN source_file ON source_file.id = file_coverage.file
        LEFT JOIN line_counts ON line_counts.run = run_file.run AND line_counts.position = run_file.position
        WHERE run_file.run = ?1 AND source_file.path = ?2 ORDER BY run_file.position
        """

    case modules = """
        SELECT name, is_measured, lines_covered, lines_total FROM run_module WHERE run = ?1 ORDER BY position
        """

    case testsOfProject = """
        SELECT module, suite, name, discriminator FROM test WHERE project = ?1
        ORDER BY module, suite, name, discriminator
        """

    case testByIdentity = """
        SELECT id FROM test WHERE project = ?1 AND module = ?2 AND suite = ?3 AND name = ?4 AND discriminator = ?5
        """

    case latestRunWithResults = """
        SELECT id FROM run
        WHERE project = ?1 AND passed + failed + crashed + timed_out + known_issue > 0
        ORDER BY started_at DESC, identity DESC LIMIT 1
        """

    case slowestOfRun = """
        SELECT result.test, module, suite, name, discriminator, duration
        FROM result JOIN test ON test.id = result.test
        WHERE run = ?1 AND duration IS NOT NULL
        ORDER BY duration DESC, module, suite, name, discriminator LIMIT ?2
        """

    case durationsOfTest = """
        SELECT duration FROM (
            SELECT id FROM run WHERE project = ?1 ORDER BY started_at DESC, identity DESC LIMIT ?2
        ) AS recent JOIN result ON result.run = recent.id AND result.test = ?3
        WHERE duration IS NOT NULL
        """

    case history = """
        SELECT identity, started_at, commit_id, branch, outcome, attempts, result.duration
        FROM (
            SELECT id, identity, started_at, commit_id, branch FROM run
            WHERE project = ?1 AND (started_at, identity) < (?2, ?3)
            ORDER BY started_at DESC, identity DESC LIMIT ?4
        ) AS recent JOIN result ON result.run = recent.id AND result.test = ?5
        ORDER BY started_at DESC, identity DESC
        """

    case past = """
        SELECT outcome, result.duration, machine.body
        FROM (
            SELECT id, started_at, identity, machine FROM run
            WHERE project = ?1 AND (started_at, identity) < (?2, ?3) AND is_partial = 0
            ORDER BY started_at DESC, identity DESC LIMIT ?4
        ) AS recent JOIN result ON result.run = recent.id AND result.test = ?5
        LEFT JOIN content AS machine ON machine.id = recent.machine
        WHERE outcome NOT IN (4, 6)
        ORDER BY started_at DESC, identity DESC
        """

    case troubledTests = """
        SELECT DISTINCT result.test, module, suite, name, discriminator
        FROM run
        JOIN result INDEXED BY result_failed ON result.run = run.id AND outcome IN (1, 2, 3)
        JOIN test ON test.id = result.test
        WHERE run.project = ?1 AND started_at >= ?2
        """

    case recoveredTests = """
        SELECT DISTINCT attempt.test, module, suite, name, discriminator
        FROM run
        JOIN attempt ON attempt.run = run.id AND outcome IN (1, 2, 3)
        JOIN test ON test.id = attempt.test
        WHERE run.project = ?1 AND started_at >= ?2
        """

    case shards = "SELECT shard FROM run_shard WHERE run = ?1 ORDER BY position"

    case executions = """
        SELECT identity, branch, CASE WHEN is_dirty THEN NULL ELSE tree_id END, outcome,
            EXISTS (
                SELECT 1 FROM attempt
                WHERE attempt.run = result.run AND attempt.test = result.test AND attempt.outcome IN (1, 2, 3)
            )
        FROM run JOIN result ON result.run = run.id AND result.test = ?3
        WHERE run.project = ?1 AND started_at >= ?2 AND outcome NOT IN (4, 6)
            AND NOT EXISTS (SELECT 1 FROM run_shard WHERE shard = run.identity)
        ORDER BY started_at, identity
        """

    case latestFullRun = """
        SELECT id FROM run
        WHERE project = ?1 AND is_partial = 0 AND passed + failed + crashed + timed_out + known_issue > 0
        ORDER BY started_at DESC, identity DESC LIMIT 1
        """

    case durationsOfRun = """
        SELECT module, suite, name, discriminator, duration
        FROM result JOIN test ON test.id = result.test
        WHERE run = ?1 AND duration IS NOT NULL
        """

    case changes = """
        SELECT module, suite, name, discriminator, before.outcome, after.outcome
        FROM result AS after
        JOIN test ON test.id = after.test
        LEFT JOIN result AS before ON before.run = ?1 AND before.test = after.test
        WHERE after.run = ?2 AND (before.outcome IS NOT after.outcome OR after.outcome IN (1, 2, 3))
        ORDER BY module, suite, name, discriminator
        """

    case removals = """
        SELECT module, suite, name, discriminator, before.outcome
        FROM result AS before JOIN test ON test.id = before.test
        WHERE before.run = ?1
            AND NOT EXISTS (SELECT 1 FROM result AS after WHERE after.run = ?2 AND after.test = before.test)
        ORDER BY module, suite, name, discriminator
        """
}
