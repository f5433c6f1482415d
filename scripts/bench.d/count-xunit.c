/* The least that reading xUnit XML can cost with libxml2: a SAX parse that counts. Prints "cases failures skipped". */
#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>

struct counts {
    long cases, failures, skipped;
};

static void start(void *context, const xmlChar *name, const xmlChar **attributes) {
    (void)attributes;
    struct counts *counts = context;
    const char *text = (const char *)name;
    if (strcmp(text, "testcase") == 0) counts->cases++;
    else if (strcmp(text, "failure") == 0) counts->failures++;
    else if (strcmp(text, "skipped") == 0) counts->skipped++;
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    struct counts counts = {0};
    xmlSAXHandler handler = {0};
    handler.startElement = start;
    if (xmlSAXUserParseFile(&handler, &counts, arguments[1]) != 0) return 65;
    printf("%ld %ld %ld\n", counts.cases, counts.failures, counts.skipped);
    return 0;
}
