# Pipelines in the emulator of Tests/Jenkins; sourced by the checks that run some, with the top of the clone as the folder.
#
# Sets $folder, which is thrown away at the end, and $failures.

scripts/setup groovy java
# Debian's Groovy looks for Java where only one of the packages that bring it puts a link.
java=$(readlink -f "$(command -v java)")
export JAVA_HOME=${JAVA_HOME:-${java%/bin/java}}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
mkdir "$folder/classes"
cp Tests/Jenkins/emulator.groovy "$folder"
find Tests/Jenkins/emulator -name '*.groovy' -exec groovyc -d "$folder/classes" {} +

# emulate NAME JENKINSFILE CHECKOUT LIBRARY [SECONDS]: the facts, in NAME.facts, are the lines that are no output of a stage.
emulate() {
    local status=0
    timeout "${5:-240}" groovy -cp "$folder/classes" "$folder/emulator.groovy" \
        "$2" "$3" "$folder/$1" "$4" BRANCH_NAME=main >"$folder/$1.log" 2>&1 || status=$?
    grep -v '^\[' "$folder/$1.log" >"$folder/$1.facts" || true
    echo "exit $status" >>"$folder/$1.facts"
}

# compare NAME EXPECTED: the facts of what was emulated.
compare() {
    if diff -u --label "$1: expected" --label "$1: found" - "$folder/$1.facts" <<<"$2"; then
        echo "ok      $1"
    else
        echo "FAILED  $1"
        failures=$((failures + 1))
    fi
}

# The pipelines of docs/jenkins.md, as they stand there: documented-N.groovy.
write_documented() {
    awk -v folder="$folder" '/^```groovy/ { number += 1; file = folder "/documented-" number ".groovy"; next }
        /^```/ { file = "" } file { print > file }' docs/jenkins.md
}
