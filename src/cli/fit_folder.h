/* fit_folder.h: the folder of a fit, which `laggard plot` draws again: the cluster, points of the curves, their figure. */
#ifndef LAGGARD_FIT_FOLDER_H
#define LAGGARD_FIT_FOLDER_H
#include "cluster_fit.h"
#include "command.h"
#include "folder.h"

struct fit_folder {
    const char *path; /* its final name: -o, or fit-NAME of the first file */
    struct folder *folder;
    const char *const *file; /* [files] that were fitted, for the manifest */
    size_t files;
};

/* Opens the folder of --plot under the name of an unfinished one. False after telling why it may not be made, such as
 * that it exists. */
bool fit_folder_open(struct call *call, struct fit_folder *folder);
/* Leaves nothing behind; one that was not opened is fine. */
void fit_folder_drop(struct call *call, struct fit_folder *folder);
/* Fills and draws it and gives it its name; what could not be drawn leaves nothing behind. Returns an exit code. Closed in
 * any case. */
int fit_folder_finish(struct call *call, struct fit_folder *folder, const struct cluster_fit *fit,
                      uint64_t seed);
#endif
