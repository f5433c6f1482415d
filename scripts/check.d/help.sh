# Sourced by scripts written for bash, before they do anything: `--help` prints the comment at their top.
case ${1:-} in
    -h | --help)
        sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"
        exit
        ;;
esac
