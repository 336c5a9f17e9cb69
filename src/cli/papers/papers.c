/* papers manual | completion: run while building. */
#include "papers.h"
#include <string.h>

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "manual") == 0)
        manual_write(stdout);
    else if (argc == 2 && strcmp(argv[1], "completion") == 0)
        completion_write(stdout);
    else
        return 2;
    return fflush(stdout) != 0 || ferror(stdout);
}
