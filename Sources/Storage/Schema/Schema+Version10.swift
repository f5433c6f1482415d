extension Schema {
    /// Version 10: the default branch of a project, as its newest run knows it. Frozen: a change is a new migration.
    ///
    /// The counts of lines go that only a run of a part of the tests kept from being removed.
    static let version10: Migration = """
        ALTER TABLE project ADD COLUMN default_branch BLOB;
        UPDATE project SET default_branch = (
            SELECT CAST(CASE substr(name, 1, 7) WHEN 'origin/' THEN substr(name, 8) ELSE name END AS BLOB)
            FROM (
                SELECT
                    started_at, identity,
                    coalesce(json_extract(said, '$.base.commit.kind'), json_extract(said, '$.change.base.kind')) AS kind,
                    coalesce(json_extract(said, '$.base.commit.name'), json_extract(said, '$.change.base.name')) AS name
                FROM (
                    SELECT started_at, identity, CASE WHEN json_valid(body) THEN body END AS said
                    FROM run JOIN verdict ON verdict.run = run.id
                    WHERE run.project = project.id
                )
            )
            WHERE kind <> 'named' AND name <> '' ORDER BY started_at DESC, identity DESC LIMIT 1
        );

        DELETE FROM line_counts WHERE EXISTS (
            SELECT 1 FROM run AS own JOIN run AS newer ON newer.project = own.project
            WHERE own.id = line_counts.run AND (newer.started_at, newer.identity) > (own.started_at, own.identity)
                AND newer.is_partial = 0 AND newer.lines_total IS NOT NULL
        );
        """
}
