/* What storing a report costs in C: libxml2 SAX, identities interned in memory, rows in one SQLite transaction.
 * usage: ingest-xunit REPORT DATABASE. Prints "cases failures identities". */
#include <libxml/parser.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct identity {
    char *text; /* suite, a zero byte, name */
    size_t length;
    sqlite3_int64 id;
};

struct ingest {
    sqlite3 *database;
    sqlite3_stmt *test, *result, *failure;
    struct identity *table;
    size_t capacity, used;
    sqlite3_int64 current;
    double seconds;
    int failed;
    long cases, failures;
};

static void check(sqlite3 *database, int status) {
    if (status == SQLITE_OK || status == SQLITE_DONE) return;
    fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(database));
    exit(74);
}

static uint64_t hash(const char *text, size_t length) {
    uint64_t value = 14695981039346656037u; /* FNV-1a */
    for (size_t index = 0; index < length; index++) value = (value ^ (unsigned char)text[index]) * 1099511628211u;
    return value;
}

static struct identity *slot(struct identity *table, size_t capacity, const char *text, size_t length) {
    size_t index = hash(text, length) & (capacity - 1);
    while (table[index].text && (table[index].length != length || memcmp(table[index].text, text, length) != 0))
        index = (index + 1) & (capacity - 1);
    return &table[index];
}

static void grow(struct ingest *ingest) {
    size_t capacity = ingest->capacity ? ingest->capacity * 2 : 1 << 12;
    struct identity *table = calloc(capacity, sizeof *table);
    for (size_t index = 0; index < ingest->capacity; index++)
        if (ingest->table[index].text)
            *slot(table, capacity, ingest->table[index].text, ingest->table[index].length) = ingest->table[index];
    free(ingest->table);
    ingest->table = table;
    ingest->capacity = capacity;
}

static sqlite3_int64 intern(struct ingest *ingest, const char *suite, const char *name) {
    if (ingest->used * 4 >= ingest->capacity * 3) grow(ingest);
    size_t first = strlen(suite), second = strlen(name), length = first + 1 + second;
    char buffer[4096];
    if (length > sizeof buffer) exit(65);
    memcpy(buffer, suite, first + 1);
    memcpy(buffer + first + 1, name, second);
    struct identity *found = slot(ingest->table, ingest->capacity, buffer, length);
    if (!found->text) {
        found->text = malloc(length);
        memcpy(found->text, buffer, length);
        found->length = length;
        found->id = (sqlite3_int64)++ingest->used;
        sqlite3_bind_int64(ingest->test, 1, found->id);
        sqlite3_bind_text(ingest->test, 2, suite, (int)first, SQLITE_STATIC);
        sqlite3_bind_text(ingest->test, 3, name, (int)second, SQLITE_STATIC);
        check(ingest->database, sqlite3_step(ingest->test));
        sqlite3_reset(ingest->test);
    }
    return found->id;
}

static void start(void *context, const xmlChar *element, const xmlChar **attributes) {
    struct ingest *ingest = context;
    const char *name = (const char *)element;
    if (strcmp(name, "testcase") == 0) {
        const char *suite = "", *test = "", *time = "0";
        for (; attributes && attributes[0]; attributes += 2) {
            if (strcmp((const char *)attributes[0], "classname") == 0) suite = (const char *)attributes[1];
            else if (strcmp((const char *)attributes[0], "name") == 0) test = (const char *)attributes[1];
            else if (strcmp((const char *)attributes[0], "time") == 0) time = (const char *)attributes[1];
        }
        ingest->current = intern(ingest, suite, test);
        ingest->seconds = strtod(time, NULL);
        ingest->failed = 0;
        ingest->cases++;
    } else if (strcmp(name, "failure") == 0) {
        const char *message = "";
        for (; attributes && attributes[0]; attributes += 2)
            if (strcmp((const char *)attributes[0], "message") == 0) message = (const char *)attributes[1];
        ingest->failed = 1;
        ingest->failures++;
        sqlite3_bind_int64(ingest->failure, 1, ingest->current);
        sqlite3_bind_text(ingest->failure, 2, message, -1, SQLITE_TRANSIENT);
        check(ingest->database, sqlite3_step(ingest->failure));
        sqlite3_reset(ingest->failure);
    }
}

static void end(void *context, const xmlChar *element) {
    struct ingest *ingest = context;
    if (strcmp((const char *)element, "testcase") != 0) return;
    sqlite3_bind_int64(ingest->result, 1, ingest->current);
    sqlite3_bind_int(ingest->result, 2, ingest->failed);
    sqlite3_bind_int64(ingest->result, 3, (sqlite3_int64)(ingest->seconds * 1e9));
    check(ingest->database, sqlite3_step(ingest->result));
    sqlite3_reset(ingest->result);
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement;
    check(database, sqlite3_prepare_v2(database, sql, -1, &statement, NULL));
    return statement;
}

int main(int count, char **arguments) {
    if (count != 3) return 64;
    struct ingest ingest = {0};
    check(NULL, sqlite3_open(arguments[2], &ingest.database));
    check(ingest.database, sqlite3_exec(ingest.database,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
        "CREATE TABLE test(id INTEGER PRIMARY KEY, suite TEXT NOT NULL, name TEXT NOT NULL, UNIQUE(suite, name)) STRICT;"
        "CREATE TABLE result(run INTEGER NOT NULL, test INTEGER NOT NULL, outcome INTEGER NOT NULL,"
        "  nanoseconds INTEGER NOT NULL, PRIMARY KEY(run, test)) STRICT, WITHOUT ROWID;"
        "CREATE TABLE failure(run INTEGER NOT NULL, test INTEGER NOT NULL, message TEXT NOT NULL) STRICT;"
        "BEGIN", NULL, NULL, NULL));
    ingest.test = prepare(ingest.database, "INSERT INTO test VALUES(?, ?, ?)");
    ingest.result = prepare(ingest.database, "INSERT OR REPLACE INTO result VALUES(1, ?, ?, ?)");
    ingest.failure = prepare(ingest.database, "INSERT INTO failure VALUES(1, ?, ?)");
    xmlSAXHandler handler = {0};
    handler.startElement = start;
    handler.endElement = end;
    if (xmlSAXUserParseFile(&handler, &ingest, arguments[1]) != 0) return 65;
    check(ingest.database, sqlite3_exec(ingest.database, "COMMIT", NULL, NULL, NULL));
    sqlite3_finalize(ingest.test);
    sqlite3_finalize(ingest.result);
    sqlite3_finalize(ingest.failure);
    check(ingest.database, sqlite3_close(ingest.database));
    printf("%ld %ld %zu\n", ingest.cases, ingest.failures, ingest.used);
    return 0;
}
