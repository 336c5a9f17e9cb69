# The commands of compile_commands.json for test programs that no sanitized build compiles, once for each file, so that they only
# look for mistakes.
BEGIN { FS = "\"" }
/"command":/ {
    match($0, /: ".*",$/)
    command = substr($0, RSTART + 3, RLENGTH - 5)
}
/"file":/ && $4 ~ /tests\/(contract|stat|bench|install|support)\// && !seen[$4]++ {
    gsub(/\\"/, "\"", command)
    gsub(/\\\\/, "\\", command)
    gsub(/ -MD -M. [^ ]+ -MF [^ ]+ -o [^ ]+/, "", command)
    print command " -fsyntax-only"
}
