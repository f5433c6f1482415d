/// Every statement about verdicts of runs on commits, and about the states of a branch. What is said of `PageQuery` holds for them, too.
///
/// States of a branch come in the order of their commits, its tip first, and not by when tests ran.
enum StateQuery: String, CaseIterable {
    case wholeRunsOfProject = """
        SELECT * FROM state_summary WHERE project = ?1 AND is_state = 1
        ORDER BY place DESC, judged_at DESC, verdict DESC LIMIT ?2
        """

    case wholeRunsOfBranch = """
        SELECT * FROM state_summary WHERE project = ?1 AND branch = ?2 AND is_state = 1
        ORDER BY place DESC, judged_at DESC, verdict DESC LIMIT ?3
        """

    case anyWholeRunOfBranch = "SELECT 1 FROM verdict WHERE project = ?1 AND branch = ?2 AND is_state = 1 LIMIT 1"

    case branches = """
        WITH RECURSIVE walk (branch) AS (
            SELECT min(branch) FROM verdict WHERE project = ?1 AND is_state = 1
            UNION ALL
            SELECT (SELECT min(branch) FROM verdict WHERE project = ?1 AND branch > walk.branch AND is_state = 1)
            FROM walk WHERE walk.branch IS NOT NULL
        )
        SELECT branch FROM walk WHERE branch IS NOT NULL
        ORDER BY (
            SELECT judged_at FROM verdict WHERE project = ?1 AND verdict.branch = walk.branch AND is_state = 1
            ORDER BY place DESC, judged_at DESC LIMIT 1
        ) DESC LIMIT ?2
        """

    case modulesOfProject = """
        SELECT identity, statuses, tallies
        FROM (
            SELECT run, statuses, tallies FROM verdict WHERE project = ?1 AND is_state = 1
            ORDER BY place DESC, judged_at DESC, id DESC LIMIT ?2
        ) AS recent JOIN run ON run.id = recent.run
        ORDER BY identity
        """

    case modulesOfBranch = """
        SELECT identity, statuses, tallies
        FROM (
            SELECT run, statuses, tallies FROM verdict WHERE project = ?1 AND branch = ?2 AND is_state = 1
            ORDER BY place DESC, judged_at DESC, id DESC LIMIT ?3
        ) AS recent JOIN run ON run.id = recent.run
        ORDER BY identity
        """

    case latestRuns = """
        SELECT run.id, identity, verdict.commit_id FROM verdict CROSS JOIN run ON run.id = verdict.run
        WHERE verdict.project = ?1 AND is_state = 1
        ORDER BY place DESC, judged_at DESC, verdict.id DESC LIMIT ?2
        """

    case latestRunsOfBranch = """
        SELECT run.id, identity, verdict.commit_id FROM verdict CROSS JOIN run ON run.id = verdict.run
        WHERE verdict.project = ?1 AND verdict.branch = ?2 AND is_state = 1
        ORDER BY place DESC, judged_at DESC, verdict.id DESC LIMIT ?3
        """

    case verdict = """
        SELECT body, policy, statuses, tallies, owners FROM verdict WHERE run = ?1 AND is_own = 1
        """

    /// When the first entry of the quarantine ends, and whether there are owners; most verdicts have neither.
    case verdictSigns = """
        SELECT quarantine_ends, owners IS NOT NULL FROM verdict WHERE run = ?1 AND is_own = 1
        """

    /// The same of the verdict that `verdictForCommit` reads.
    case verdictSignsForCommit = """
        SELECT quarantine_ends, owners IS NOT NULL FROM verdict
        WHERE run = ?1 AND +commit_id = ?2
        ORDER BY judged_at DESC, id DESC LIMIT 1
        """

    /// The newest verdict on a commit by a run and against a base.
    case verdictOnCommit = """
        SELECT body, policy, statuses, tallies, owners FROM verdict WHERE run = ?1 AND +commit_id = ?2 AND base = ?3
        ORDER BY judged_at DESC, id DESC LIMIT 1
        """

    case verdictKeys = """
        SELECT id, is_own FROM verdict
        WHERE run = ?1 AND commit_id = ?2 AND base = ?3 AND coalesce(branch, x'') = ?4 AND attempt = ?5
        """

    /// A state that let failures of its base through has not passed.
    case statesOfBranch = """
        SELECT commit_id, CASE WHEN allowed IS NULL THEN decision ELSE 'failed' END
        FROM verdict WHERE project = ?1 AND branch = ?2 AND is_state = 1
        ORDER BY place DESC, judged_at DESC, id DESC LIMIT ?3
        """

    // A plus keeps SQLite from an index that would go through all states of a branch, or all runs of a commit.

    case placeOfCommit = """
        SELECT min(place) FROM verdict WHERE commit_id = ?1 AND project = ?2 AND +branch = ?3 AND +is_state = 1
        """

    case placesOfBranch = """
        SELECT commit_id, place FROM verdict WHERE project = ?1 AND branch = ?2 AND is_state = 1
        ORDER BY place DESC LIMIT ?3
        """

    case ancestors = """
        WITH RECURSIVE walk (name) AS (
            SELECT parent FROM commit_parent WHERE project = ?1 AND child = ?2
            UNION
            SELECT parent FROM walk CROSS JOIN commit_parent ON project = ?1 AND child = walk.name
            LIMIT ?3
        )
        SELECT name FROM walk
        """

    case descendants = """
        WITH RECURSIVE walk (name) AS (
            SELECT child FROM commit_parent WHERE project = ?1 AND parent = ?2
            UNION
            SELECT child FROM walk CROSS JOIN commit_parent ON project = ?1 AND parent = walk.name
            LIMIT ?3
        )
        SELECT name FROM walk
        """

    case trustedVerdictsOfCommit = """
        SELECT * FROM state_summary WHERE commit_id = ?1 AND project = ?2 AND is_exact = 1
        ORDER BY judged_at DESC, verdict DESC LIMIT ?3
        """

    case otherVerdictsOfCommit = """
        SELECT * FROM state_summary WHERE commit_id = ?1 AND project = ?2 AND is_exact = 0
        ORDER BY judged_at DESC, verdict DESC LIMIT ?3
        """

    /// The newest commit with a tree, by the runs that may answer for that tree.
    case commitOfTree = """
        SELECT verdict.commit_id, verdict.subject, verdict.author
        FROM run CROSS JOIN verdict ON verdict.run = run.id
        WHERE run.tree_id = ?1 AND run.project = ?2 AND +run.is_exact = 1 AND verdict.commit_id <> ''
        ORDER BY judged_at DESC, verdict.id DESC LIMIT 1
        """

    case verdictForCommit = """
        SELECT body, policy, statuses, tallies, owners, branch, subject, author FROM verdict
        WHERE run = ?1 AND +commit_id = ?2
        ORDER BY judged_at DESC, id DESC LIMIT 1
        """
}
