/* Why standard output is flushed first: in a pipe the two streams would else be told in any order. */
#include "warning.h"
#include "text_table.h"

void warning_print(const char *sentence) {
    bool coloured = stream_coloured(stderr);
    fflush(stdout);
    fprintf(stderr, "%swarning:%s %s\n", coloured ? "\033[1;35m" : "", coloured ? "\033[0m" : "", sentence);
}

void doubts_print(const struct study *study) {
    for (size_t q = 0; q < study_doubts(study); q++)
        warning_print(study_doubt(study, q));
}
