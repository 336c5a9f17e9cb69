#include "cr_measure.h"
#include "placement.h"
#include <math.h>

static void add_message(const struct cr_rows *rows, const struct message *message, double weight) {
    struct placement windows = placement_cr(rows->workers, rows->copies);
    const double *entry = rows->entry + message->worker * rows->per_worker + message->part * rows->per_part;
    for (uint32_t l = 0; l < rows->copies; l++)
        rows->sum[placement_partition(&windows, message->worker, l)] += weight * entry[l];
}

/* The larger, where what is not a number counts as beyond all numbers: fmax would drop it. */
static double larger(double a, double b) {
    return isnan(b) ? (double)INFINITY : fmax(a, b);
}

void cr_measure(const struct cr_rows *rows, const struct message *message, uint32_t messages,
                struct decoding *out) {
    for (uint32_t p = 0; p < rows->workers; p++)
        rows->sum[p] = -1;
    double length = 0;
    out->largest_weight = 0;
    for (uint32_t m = 0; m < messages; m++) {
        bool same = m > 0 && message[m - 1].worker == message[m].worker;
        length = hypot(same ? length : 0, out->weight[m]);
        out->largest_weight = larger(out->largest_weight, length);
        add_message(rows, &message[m], out->weight[m]);
    }
    out->residual = 0;
    for (uint32_t p = 0; p < rows->workers; p++)
        out->residual = larger(out->residual, fabs(rows->sum[p]));
}
