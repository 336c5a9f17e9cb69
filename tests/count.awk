# Counts single tests in Meson's testlog.txt: Criterion's by its closing line, other programs by one each. Lists the tests
# that were skipped; the last line is `N passed, N failed`. Exits with 1 when a test failed or none ran.

function settle() {
    if (test == "")
        return
    passed += passing
    failed += failing
    # A program that ended badly without a failed test of its own crashed, leaked or ran out of time.
    if (ended != 0 && ended != 77 && failing == 0) {
        failed++
        print "failed: " test
    }
    if (!counted && ended == 0)
        passed++
    if (!counted && ended == 77)
        print "skipped: " test
    test = ""
}

/^test:  / {
    settle()
    test = $0
    sub(/^test: */, "", test)
    passing = failing = counted = 0
    ended = 1
}
/^result: *exit status / { ended = $NF }
/^ok - .*# SKIP/ {
    skipped = $0
    sub(/^ok - /, "", skipped)
    sub(/ *# SKIP */, ": ", skipped)
    print "skipped: " skipped
}
/^not ok - / {
    broken = $0
    sub(/^not ok - /, "", broken)
    print "failed: " broken
}
/Synthesis: Tested:/ {
    counted = 1
    for (i = 1; i < NF; i++) {
        if ($i == "Passing:")
            passing = $(i + 1)
        if ($i == "Failing:")
            failing = $(i + 1)
    }
}
END {
    settle()
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0 || passed == 0
}
