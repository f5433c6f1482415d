// The reference for reading an export of llvm-cov: simdjson's on-demand walk over every segment of every file.
// Prints "files segments covered", a segment being covered when it has a count above 0.
#include <cstdint>
#include <cstdio>
#include <simdjson.h>

int main(int count, char **arguments) {
    if (count != 2) return 64;
    simdjson::ondemand::parser parser;
    auto text = simdjson::padded_string::load(arguments[1]);
    if (text.error()) return 66;
    long files = 0, segments = 0, covered = 0;
    try {
        simdjson::ondemand::document document = parser.iterate(text);
        for (auto entry : document["data"]) {
            for (auto file : entry["files"]) {
                files++;
                for (auto segment : file["segments"]) {
                    segments++;
                    int index = 0;
                    for (auto value : segment) {
                        if (index == 2 && uint64_t(value) > 0) covered++;
                        index++;
                    }
                }
            }
        }
    } catch (const simdjson::simdjson_error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 65;
    }
    std::printf("%ld %ld %ld\n", files, segments, covered);
}
