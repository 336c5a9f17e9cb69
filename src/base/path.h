/* path.h: names of files as seen from elsewhere. Knows nothing of what files hold. */
#ifndef LAGGARD_PATH_H
#define LAGGARD_PATH_H

/* `target` as seen from `folder` (each absolute, or relative to the working folder), such as ../data/x.csv. Links
 * are followed in all but the target's own name, so that the result leads there; neither need exist. Heap. */
char *path_relative(const char *folder, const char *target);
#endif
