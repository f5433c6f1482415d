/// Every statement that finds something by what a person knows of it: a hash, an id, a name, words. What is said of `PageQuery` holds
/// for them, too.
enum SearchQuery: String, CaseIterable {
    // The runs that may answer for a commit or tree come first, the trusted and full ones: other runs never hide them.
    case summariesOfCommit = """
        SELECT * FROM run_summary WHERE commit_id >= ?1 AND commit_id < ?2 AND project = ?3
        ORDER BY is_exact DESC, is_partial, started_at DESC, identity DESC LIMIT ?4
        """

    case summariesOfMadeCommit = """
        SELECT * FROM run_summary WHERE made_commit >= ?1 AND made_commit < ?2 AND project = ?3
        ORDER BY is_exact DESC, is_partial, started_at DESC, identity DESC LIMIT ?4
        """

    case summariesOfTree = """
        SELECT * FROM run_summary WHERE tree_id = ?1 AND project = ?2 AND (?4 IS NULL OR folder = ?4)
        ORDER BY +is_exact DESC, is_partial, started_at DESC, identity DESC LIMIT ?3
        """

    case summariesOfTreeAnywhere = """
        SELECT * FROM run_summary WHERE tree_id = ?1 AND (?3 IS NULL OR folder = ?3)
        ORDER BY is_exact DESC, is_partial, started_at DESC, identity DESC LIMIT ?2
        """

    case commitsByPrefix = """
        WITH RECURSIVE walk (name, count) AS (
            SELECT min(commit_id), 1 FROM verdict WHERE project = ?4 AND commit_id >= ?1 AND commit_id < ?2
            UNION ALL
            SELECT
                (SELECT min(commit_id) FROM verdict WHERE project = ?4 AND commit_id > walk.name AND commit_id < ?2),
                count + 1
            FROM walk WHERE walk.name IS NOT NULL AND count <= ?3
        )
        SELECT name FROM walk WHERE name IS NOT NULL
        """

    case trustedCommitsByPrefix = """
        WITH RECURSIVE walk (name, count) AS (
            SELECT min(commit_id), 1 FROM verdict
            WHERE project = ?4 AND commit_id >= ?1 AND commit_id < ?2 AND is_exact = 1
            UNION ALL
            SELECT
                (
                    SELECT min(commit_id) FROM verdict
                    WHERE project = ?4 AND commit_id > walk.name AND commit_id < ?2 AND is_exact = 1
                ),
                count + 1
            FROM walk WHERE walk.name IS NOT NULL AND count <= ?3
        )
        SELECT name FROM walk WHERE name IS NOT NULL
        """

    case identitiesByPrefix = """
        SELECT identity FROM run WHERE project = ?1 AND identity >= ?2 AND identity < ?3
        ORDER BY identity DESC LIMIT ?4
        """

    case identitiesBySuffix = """
        SELECT identity FROM run WHERE project = ?1 AND tail >= ?2 AND tail < ?3 ORDER BY identity DESC LIMIT ?4
        """

    case testsOfProject = """
        SELECT module, suite, name, discriminator, id FROM test WHERE project = ?1
        ORDER BY module, suite, name, discriminator LIMIT ?2
        """

    // Runs that answer for their tree, and all others, are limited separately: others never keep the former out.
    case wordsOfRuns = """
        SELECT identity, branch, substr(author, 1, ?4), substr(subject, 1, ?4) FROM run WHERE project = ?1 AND is_exact = ?3
        ORDER BY started_at DESC, identity DESC LIMIT ?2
        """

    /// What is known of commits that the newest ?2 runs are judged for and did not test. A branch that was only attempted is none.
    case wordsOfKnownTrees = """
        SELECT
            recent.identity, CASE WHEN is_state = 1 THEN branch END, substr(author, 1, ?5), substr(subject, 1, ?5),
            commit_id
        FROM (
            SELECT id, identity FROM run WHERE project = ?1 AND is_exact = ?3
            ORDER BY started_at DESC, identity DESC LIMIT ?2
        ) AS recent CROSS JOIN verdict ON verdict.run = recent.id
        WHERE is_own = 0 AND commit_id <> ''
        LIMIT ?4
        """

    /// What failed in the newest ?2 runs, those of the newest first: of those that answer for their tree, or of all others.
    case messagesOfRuns = """
        SELECT recent.id, issue.test, issue.message
        FROM (
            SELECT id FROM run WHERE project = ?1 AND is_exact = ?4 ORDER BY started_at DESC, identity DESC LIMIT ?2
        ) AS recent CROSS JOIN issue ON issue.run = recent.id
        WHERE is_known = 0 AND is_warning = 0 AND is_cancellation = 0
        LIMIT ?3
        """

    case identityOfRun = "SELECT identity FROM run WHERE id = ?1"

    case startOfText = "SELECT substr(body, 1, ?2) FROM content WHERE id = ?1"
}
