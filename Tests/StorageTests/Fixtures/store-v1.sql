PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE project (
    id INTEGER PRIMARY KEY,
    name BLOB NOT NULL UNIQUE
) STRICT;
INSERT INTO project VALUES(1,X'6578616d706c652f766964656f2d6b6974');
CREATE TABLE content (
    id INTEGER PRIMARY KEY,
    digest INTEGER NOT NULL,
    body BLOB NOT NULL
) STRICT;
INSERT INTO content VALUES(1,-6407101598026990095,X'7b226c6c766d56657273696f6e223a224c4c564d2076657273696f6e2032312e302e30222c22737769667456657273696f6e223a2253776966742076657273696f6e20362e332e31202873776966742d362e332e312d52454c4541534529222c22746172676574223a227838365f36342d756e6b6e6f776e2d6c696e75782d676e75227d');
INSERT INTO content VALUES(2,-524685352338483703,X'7b226d6f64756c6573223a5b7b22636f6d70696c65724e616d65223a22436f7265222c22646570656e64656e63696573223a5b5d2c2269735377696674223a747275652c226b696e64223a226c696272617279222c226e616d65223a22436f7265222c2270617468223a22536f75726365732f436f7265222c22736f7572636573223a5b22436f72652e7377696674222c2255524c52756c652e7377696674225d7d2c7b22636f6d70696c65724e616d65223a22746f6f6c222c22646570656e64656e63696573223a5b22436f7265225d2c2269735377696674223a747275652c226b696e64223a2265786563757461626c65222c226e616d65223a22746f6f6c222c2270617468223a22536f75726365732f746f6f6c222c22736f7572636573223a5b226d61696e2e7377696674225d7d2c7b22636f6d70696c65724e616d65223a22435368696d222c22646570656e64656e63696573223a5b5d2c2269735377696674223a66616c73652c226b696e64223a226c696272617279222c226e616d65223a22435368696d222c2270617468223a22536f75726365732f435368696d222c22736f7572636573223a5b227368696d2e63225d7d2c7b22636f6d70696c65724e616d65223a22436f72655465737473222c22646570656e64656e63696573223a5b22436f7265225d2c2269735377696674223a747275652c226b696e64223a2274657374222c226e616d65223a22436f72655465737473222c2270617468223a2254657374732f436f72655465737473222c22736f7572636573223a5b22436f726554657374732e7377696674225d7d5d2c226e6f744d656173757261626c65223a5b7b226d6f64756c65223a22435368696d222c22726561736f6e223a226120432d66616d696c7920746172676574227d5d7d');
INSERT INTO content VALUES(3,-2535113061611067410,X'5b5d');
INSERT INTO content VALUES(4,2332664246596110405,X'7377696674');
INSERT INTO content VALUES(5,-8785517878129894092,X'6275696c64');
INSERT INTO content VALUES(6,2271575940368597870,X'74657374');
INSERT INTO content VALUES(7,8563122430806109480,X'54657374732f436f726554657374732f436f726554657374732e7377696674');
INSERT INTO content VALUES(8,-8089430777048724161,X'584354417373657274457175616c206661696c65643a20282233332229206973206e6f7420657175616c20746f20282233342229202d203c7363726970743e616c6572742831293c2f7363726970743e1b5b33316d5d5d3e26616d703b22277c602e2e2f2e2e2f6574632f70617373776460e280ae273b2044524f50205441424c452072756e733b2d2d0a3a3a6572726f723a3a78');
INSERT INTO content VALUES(9,9223237310773480814,X'466174616c206572726f723a20496e646578206f7574206f662072616e6765');
INSERT INTO content VALUES(10,-7974656738658004091,X'536f75726365732f436f72652f436f72652e7377696674');
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE CHECK (length(identity) = 36),
    tail TEXT NOT NULL CHECK (length(tail) = 12),
    project INTEGER NOT NULL REFERENCES project (id),
    package TEXT NOT NULL,
    commit_id TEXT,
    tree_id TEXT,
    branch BLOB,
    subject TEXT,
    is_dirty INTEGER CHECK (is_dirty IN (0, 1)),
    started_at INTEGER NOT NULL,
    duration INTEGER NOT NULL,
    engine TEXT NOT NULL,
    toolchain INTEGER REFERENCES content (id),
    modules INTEGER NOT NULL REFERENCES content (id),
    unattributed INTEGER REFERENCES content (id),
    run_directory TEXT,
    decision TEXT NOT NULL CHECK (decision IN ('passed', 'failed', 'undecided')),
    exit_status INTEGER NOT NULL CHECK (exit_status BETWEEN 0 AND 255),
    passed INTEGER NOT NULL CHECK (passed >= 0),
    failed INTEGER NOT NULL CHECK (failed >= 0),
    crashed INTEGER NOT NULL CHECK (crashed >= 0),
    timed_out INTEGER NOT NULL CHECK (timed_out >= 0),
    skipped INTEGER NOT NULL CHECK (skipped >= 0),
    known_issue INTEGER NOT NULL CHECK (known_issue >= 0),
    not_run INTEGER NOT NULL CHECK (not_run >= 0),
    lines_covered INTEGER CHECK (lines_covered >= 0),
    lines_total INTEGER CHECK (lines_total >= lines_covered),
    CHECK ((lines_covered IS NULL) = (lines_total IS NULL)),
    CHECK ((unattributed IS NULL) = (lines_total IS NULL)),
    CHECK (is_dirty IS NOT NULL OR coalesce(commit_id, tree_id, branch, subject) IS NULL)
) STRICT;
INSERT INTO run VALUES(1,'019b7ca9-9070-7001-8000-000000000001','100000000000',1,'VideoKit','9f3c2ab19f3c2ab19f3c2ab19f3c2ab19f3c2ab1','41d0e77a41d0e77a41d0e77a41d0e77a41d0e77a',X'6d61696e','Decode thumbnails without width',0,1767323046000000000,41200000000,'swift-test',1,2,3,'/runs/019b7ca9-9070-7001-8000-000000000001','failed',2,2,0,0,0,1,0,0,27,30);
INSERT INTO run VALUES(2,'019b7ca9-9458-7002-8000-000000000002','200000000000',1,'VideoKit','9f3c2ab19f3c2ab19f3c2ab19f3c2ab19f3c2ab1','41d0e77a41d0e77a41d0e77a41d0e77a41d0e77a',X'6d61696e',replace('<script>alert(1)</script>[31m]]>&amp;"''|`../../etc/passwd`‮''; DROP TABLE runs;--\n::error::x','\n',char(10)),0,1767323047000000000,41200000000,'swift-test',1,2,3,'/runs/019b7ca9-9458-7002-8000-000000000002','failed',1,1,1,1,0,1,0,0,24,30);
INSERT INTO run VALUES(3,'019b7ca9-9840-7003-8000-000000000003','300000000000',1,'VideoKit','9f3c2ab19f3c2ab19f3c2ab19f3c2ab19f3c2ab1','41d0e77a41d0e77a41d0e77a41d0e77a41d0e77a',X'6d61696e','Decode thumbnails without width',0,1767323048000000000,41200000000,'swift-test',1,2,3,'/runs/019b7ca9-9840-7003-8000-000000000003','failed',2,1,0,0,0,1,0,1,27,30);
CREATE TABLE verdict (
    run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    body TEXT NOT NULL
) STRICT;
INSERT INTO verdict VALUES(1,'{"decision":"failed","gaps":[],"modules":[{"excludedFiles":0,"floors":{"line":"80"},"functions":{"covered":6,"total":6},"lines":{"covered":19,"total":20},"module":"Core","regions":{"covered":14,"total":15}},{"excludedFiles":0,"floors":{"line":"80"},"functions":{"covered":1,"total":1},"lines":{"covered":8,"total":10},"module":"tool","regions":{"covered":4,"total":5}},{"excludedFiles":0,"floors":{"line":"80"},"functions":{"covered":0,"total":0},"lines":{"covered":0,"total":0},"module":"CShim","notMeasurable":"a C-family target","regions":{"covered":0,"total":0}}],"policy":{"defaultFloors":{"line":"80"},"excludes":[],"minimumTests":1,"modules":[]},"violations":[]}');
INSERT INTO verdict VALUES(2,'{"decision":"failed","gaps":[],"modules":[{"excludedFiles":0,"floors":{"line":"80"},"functions":{"covered":6,"total":6},"lines":{"covered":19,"total":20},"module":"Core","regions":{"covered":14,"total":15}},{"excludedFiles":0,"floors":{"line":"80"},"functions":{"covered":1,"total":1},"lines":{"covered":5,"total":10},"module":"tool","regions":{"covered":4,"total":5}},{"excludedFiles":0,"floors":{"line":"80"},"functions":{"covered":0,"total":0},"lines":{"covered":0,"total":0},"module":"CShim","notMeasurable":"a C-family target","regions":{"covered":0,"total":0}}],"policy":{"defaultFloors":{"line":"80"},"excludes":[],"minimumTests":1,"modules":[]},"violations":[{"testFailed":{"id":{"discriminator":"","module":"CoreTests","name":"counts 🇯🇵 as one(_:)","suite":"Parsing/Flags"},"issue":{"isKnown":false,"isWarning":false,"location":{"line":35,"path":"Tests/CoreTests/CoreTests.swift"},"message":"XCTAssertEqual failed: (\"33\") is not equal to (\"34\") - <script>alert(1)</script>\u001b[31m]]>&amp;\"''|`../../etc/passwd`‮''; DROP TABLE runs;--\n::error::x"},"outcome":"failed"}},{"testFailed":{"id":{"discriminator":"","module":"CoreTests","name":"<script>alert(1)</script>\u001b[31m]]>&amp;\"''|`../../etc/passwd`‮''; DROP TABLE runs;--\n::error::x","suite":"Zoo"},"issue":{"isKnown":false,"isWarning":false,"location":{"line":3,"path":"Sources/Core/Core.swift"},"message":"Fatal error: Index out of range"},"outcome":"crashed"}}]}');
INSERT INTO verdict VALUES(3,'{"decision":"failed","gaps":[{"code":"tests-not-run","detail":"1 of 3 tests has no result","subject":"CoreTests"}],"modules":[{"excludedFiles":0,"floors":{"line":"80"},"functions":{"covered":6,"total":6},"lines":{"covered":19,"total":20},"module":"Core","regions":{"covered":14,"total":15}},{"excludedFiles":0,"floors":{"line":"80"},"functions":{"covered":1,"total":1},"lines":{"covered":8,"total":10},"module":"tool","regions":{"covered":4,"total":5}},{"excludedFiles":0,"floors":{"line":"80"},"functions":{"covered":0,"total":0},"lines":{"covered":0,"total":0},"module":"CShim","notMeasurable":"a C-family target","regions":{"covered":0,"total":0}}],"policy":{"defaultFloors":{"line":"80"},"excludes":[],"minimumTests":1,"modules":[]},"violations":[]}');
CREATE TABLE run_module (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 0),
    name BLOB NOT NULL,
    is_measured INTEGER NOT NULL CHECK (is_measured IN (0, 1)),
    lines_covered INTEGER NOT NULL CHECK (lines_covered >= 0),
    lines_total INTEGER NOT NULL CHECK (lines_total >= lines_covered),
    regions_covered INTEGER NOT NULL CHECK (regions_covered >= 0),
    regions_total INTEGER NOT NULL CHECK (regions_total >= regions_covered),
    functions_covered INTEGER NOT NULL CHECK (functions_covered >= 0),
    functions_total INTEGER NOT NULL CHECK (functions_total >= functions_covered),
    PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;
INSERT INTO run_module VALUES(1,0,X'436f7265',1,19,20,14,15,6,6);
INSERT INTO run_module VALUES(1,1,X'746f6f6c',1,8,10,4,5,1,1);
INSERT INTO run_module VALUES(1,2,X'435368696d',0,0,0,0,0,0,0);
INSERT INTO run_module VALUES(2,0,X'436f7265',1,19,20,14,15,6,6);
INSERT INTO run_module VALUES(2,1,X'746f6f6c',1,5,10,4,5,1,1);
INSERT INTO run_module VALUES(2,2,X'435368696d',0,0,0,0,0,0,0);
INSERT INTO run_module VALUES(3,0,X'436f7265',1,19,20,14,15,6,6);
INSERT INTO run_module VALUES(3,1,X'746f6f6c',1,8,10,4,5,1,1);
INSERT INTO run_module VALUES(3,2,X'435368696d',0,0,0,0,0,0,0);
CREATE TABLE step (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 0),
    kind TEXT NOT NULL,
    arguments BLOB NOT NULL,
    duration INTEGER NOT NULL,
    exited INTEGER,
    signaled INTEGER,
    is_timed_out INTEGER NOT NULL CHECK (is_timed_out IN (0, 1)),
    CHECK ((exited IS NULL) <> (signaled IS NULL)),
    PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;
INSERT INTO step VALUES(1,0,'build',X'0405',30000000000,0,NULL,0);
INSERT INTO step VALUES(1,1,'test',X'0406',11000000000,0,NULL,0);
INSERT INTO step VALUES(2,0,'build',X'0405',30000000000,0,NULL,0);
INSERT INTO step VALUES(2,1,'test',X'0406',11000000000,1,NULL,0);
INSERT INTO step VALUES(3,0,'build',X'0405',30000000000,0,NULL,0);
INSERT INTO step VALUES(3,1,'test',X'0406',11000000000,0,NULL,0);
CREATE TABLE finding (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    is_gap INTEGER NOT NULL CHECK (is_gap IN (0, 1)),
    position INTEGER NOT NULL CHECK (position >= 0),
    code TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (run, is_gap, position)
) STRICT, WITHOUT ROWID;
INSERT INTO finding VALUES(2,0,0,'report-repaired','xunit.xml',replace('1 name was not escaped: <script>alert(1)</script>[31m]]>&amp;"''|`../../etc/passwd`‮''; DROP TABLE runs;--\n::error::x','\n',char(10)));
INSERT INTO finding VALUES(3,1,0,'tests-not-run','CoreTests','1 of 3 tests has no result');
CREATE TABLE diagnostic (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 0),
    severity TEXT NOT NULL,
    message INTEGER NOT NULL REFERENCES content (id),
    path INTEGER REFERENCES content (id),
    line INTEGER,
    utf8_column INTEGER,
    CHECK ((path IS NULL) = (line IS NULL)),
    CHECK (path IS NOT NULL OR utf8_column IS NULL),
    PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE test (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES project (id),
    module BLOB NOT NULL,
    suite BLOB NOT NULL,
    name BLOB NOT NULL,
    discriminator BLOB NOT NULL,
    UNIQUE (project, module, suite, name, discriminator)
) STRICT;
INSERT INTO test VALUES(1,1,X'436f72655465737473',X'50617273696e672f466c616773',X'636f756e747320f09f87aff09f87b5206173206f6e65285f3a29',X'');
INSERT INTO test VALUES(2,1,X'436f72655465737473',X'566964656f496e666f5465737473',X'746573744e6574776f726b',X'');
INSERT INTO test VALUES(3,1,X'436f72655465737473',X'566964656f496e666f5465737473',X'746573745fe795b0e5b8b8e7b3bb5f7468756d626e61696ce381ae55524ce3818c6e696c',X'');
INSERT INTO test VALUES(4,1,X'436f72655465737473',X'5a6f6f',X'3c7363726970743e616c6572742831293c2f7363726970743e1b5b33316d5d5d3e26616d703b22277c602e2e2f2e2e2f6574632f70617373776460e280ae273b2044524f50205441424c452072756e733b2d2d0a3a3a6572726f723a3a78',X'');
CREATE TABLE description (
    id INTEGER PRIMARY KEY,
    test INTEGER NOT NULL REFERENCES test (id),
    digest INTEGER NOT NULL,
    library INTEGER NOT NULL CHECK (library BETWEEN 0 AND 2),
    display_name TEXT,
    path INTEGER REFERENCES content (id),
    line INTEGER,
    utf8_column INTEGER,
    arguments TEXT,
    skip_reason TEXT,
    CHECK ((path IS NULL) = (line IS NULL)),
    CHECK (path IS NOT NULL OR utf8_column IS NULL)
) STRICT;
INSERT INTO description VALUES(1,1,-6206148110140651179,1,'counts 🇯🇵 as one',7,40,6,'["\"🇯🇵\"","\"👨‍👩‍👧\""]',NULL);
INSERT INTO description VALUES(2,2,-4634709292493716552,0,NULL,NULL,NULL,NULL,NULL,'needs a network');
INSERT INTO description VALUES(3,3,-1249840719455185463,0,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO description VALUES(4,4,-834717413279977754,1,replace('<script>alert(1)</script>[31m]]>&amp;"''|`../../etc/passwd`‮''; DROP TABLE runs;--\n::error::x','\n',char(10)),NULL,NULL,NULL,NULL,NULL);
CREATE TABLE result (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    test INTEGER NOT NULL REFERENCES test (id),
    description INTEGER NOT NULL REFERENCES description (id),
    outcome INTEGER NOT NULL CHECK (outcome BETWEEN 0 AND 6),
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    duration INTEGER,
    CHECK (duration IS NULL OR attempts > 0),
    PRIMARY KEY (run, test)
) STRICT, WITHOUT ROWID;
INSERT INTO result VALUES(1,1,1,0,1,870000);
INSERT INTO result VALUES(1,2,2,4,0,NULL);
INSERT INTO result VALUES(1,3,3,0,1,3000000);
INSERT INTO result VALUES(2,1,1,1,1,3000000);
INSERT INTO result VALUES(2,2,2,4,0,NULL);
INSERT INTO result VALUES(2,3,3,0,1,3000000);
INSERT INTO result VALUES(2,4,4,2,1,NULL);
INSERT INTO result VALUES(3,1,1,6,0,NULL);
INSERT INTO result VALUES(3,2,2,4,0,NULL);
INSERT INTO result VALUES(3,3,3,0,1,3000000);
CREATE TABLE attempt (
    run INTEGER NOT NULL,
    test INTEGER NOT NULL,
    number INTEGER NOT NULL CHECK (number >= 0),
    outcome INTEGER NOT NULL CHECK (outcome BETWEEN 0 AND 6),
    duration INTEGER,
    FOREIGN KEY (run, test) REFERENCES result (run, test) ON DELETE CASCADE,
    PRIMARY KEY (run, test, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE issue (
    run INTEGER NOT NULL,
    test INTEGER NOT NULL,
    attempt INTEGER NOT NULL CHECK (attempt >= 0),
    position INTEGER NOT NULL CHECK (position >= 0),
    message INTEGER NOT NULL REFERENCES content (id),
    path INTEGER REFERENCES content (id),
    line INTEGER,
    utf8_column INTEGER,
    is_known INTEGER NOT NULL CHECK (is_known IN (0, 1)),
    is_warning INTEGER NOT NULL CHECK (is_warning IN (0, 1)),
    argument INTEGER REFERENCES content (id),
    CHECK ((path IS NULL) = (line IS NULL)),
    CHECK (path IS NOT NULL OR utf8_column IS NULL),
    FOREIGN KEY (run, test) REFERENCES result (run, test) ON DELETE CASCADE,
    PRIMARY KEY (run, test, attempt, position)
) STRICT, WITHOUT ROWID;
INSERT INTO issue VALUES(2,1,0,0,8,7,35,NULL,0,0,NULL);
INSERT INTO issue VALUES(2,4,0,0,9,10,3,NULL,0,0,NULL);
CREATE TABLE source_file (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES project (id),
    module BLOB NOT NULL,
    path BLOB NOT NULL,
    UNIQUE (project, path, module)
) STRICT;
INSERT INTO source_file VALUES(1,1,X'436f7265',X'536f75726365732f436f72652f436f72652e7377696674');
INSERT INTO source_file VALUES(2,1,X'436f7265',X'536f75726365732f436f72652f55524c52756c652e7377696674');
INSERT INTO source_file VALUES(3,1,X'746f6f6c',X'536f75726365732f746f6f6c2f6d61696e2e7377696674');
CREATE TABLE file_coverage (
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL REFERENCES source_file (id),
    digest INTEGER NOT NULL,
    source_hash TEXT,
    line_states BLOB NOT NULL,
    lines_covered INTEGER NOT NULL CHECK (lines_covered >= 0),
    lines_total INTEGER NOT NULL CHECK (lines_total >= lines_covered),
    regions_covered INTEGER NOT NULL,
    regions_total INTEGER NOT NULL,
    functions_covered INTEGER NOT NULL,
    functions_total INTEGER NOT NULL
) STRICT;
INSERT INTO file_coverage VALUES(1,1,7081412787040796574,NULL,X'0019',12,12,9,9,4,4);
INSERT INTO file_coverage VALUES(2,2,330408594813500246,NULL,X'000f0002',7,8,5,6,2,2);
INSERT INTO file_coverage VALUES(3,3,5857140563910173473,NULL,X'00110004',8,10,4,5,1,1);
INSERT INTO file_coverage VALUES(4,3,-6574799646502527720,NULL,X'000b000a',5,10,4,5,1,1);
CREATE TABLE run_file (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 0),
    coverage INTEGER NOT NULL REFERENCES file_coverage (id),
    PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;
INSERT INTO run_file VALUES(1,0,1);
INSERT INTO run_file VALUES(1,1,2);
INSERT INTO run_file VALUES(1,2,3);
INSERT INTO run_file VALUES(2,0,1);
INSERT INTO run_file VALUES(2,1,2);
INSERT INTO run_file VALUES(2,2,4);
INSERT INTO run_file VALUES(3,0,1);
INSERT INTO run_file VALUES(3,1,2);
INSERT INTO run_file VALUES(3,2,3);
CREATE TABLE line_counts (
    run INTEGER NOT NULL,
    position INTEGER NOT NULL,
    counts BLOB NOT NULL,
    FOREIGN KEY (run, position) REFERENCES run_file (run, position) ON DELETE CASCADE,
    PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;
INSERT INTO line_counts VALUES(3,0,X'0c03');
INSERT INTO line_counts VALUES(3,1,X'07030100');
INSERT INTO line_counts VALUES(3,2,X'08030200');
CREATE INDEX content_by_digest ON content (digest);
CREATE INDEX run_by_project ON run (project, started_at, identity);
CREATE INDEX run_by_branch ON run (project, branch, started_at, identity);
CREATE INDEX run_by_start ON run (started_at, identity);
CREATE INDEX run_by_commit ON run (commit_id);
CREATE INDEX run_by_tail ON run (tail);
CREATE VIEW run_summary AS
SELECT
    run.id, run.identity, project.name, run.package,
    run.commit_id, run.tree_id, run.branch, run.subject, run.is_dirty,
    run.started_at, run.duration, run.engine, run.decision, run.exit_status,
    run.passed, run.failed, run.crashed, run.timed_out, run.skipped, run.known_issue, run.not_run,
    run.lines_covered, run.lines_total, run.run_directory,
    run.project, run.tail
FROM run JOIN project ON project.id = run.project;
CREATE INDEX description_by_digest ON description (test, digest);
CREATE INDEX result_failed ON result (run) WHERE outcome IN (1, 2, 3);
CREATE INDEX file_coverage_by_digest ON file_coverage (file, digest);
COMMIT;
PRAGMA application_id=1263422798;
PRAGMA user_version=1;
