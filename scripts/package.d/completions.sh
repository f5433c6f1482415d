# The completion scripts of Kanmon; sourced by what installs them.

# completion_files ZSH: for each shell its name and its file below /usr or another prefix, in lines. ZSH is the folder that zsh reads:
# site-functions is the user's, vendor-completions that of Debian's packages.
completion_files() {
    printf '%s\n' "bash share/bash-completion/completions/kanmon" "zsh share/zsh/$1/_kanmon" \
        "fish share/fish/vendor_completions.d/kanmon.fish"
}

# write_completions BINARY PREFIX ZSH: makes these files with a Kanmon.
write_completions() {
    local shell file
    while read -r shell file; do
        install -d "$(dirname "$2/$file")"
        "$1" --generate-completion-script "$shell" >"$2/$file"
    done < <(completion_files "$3")
}
