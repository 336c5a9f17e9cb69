# What users write today: timing only, wait for n - s of n workers with exponential delays; see bench_timing.c, which runs it.
# numpy_timing.py WORKERS STRAGGLERS STEPS: prints the processor seconds of a worker-step, by a loop over steps, then by whole arrays.
import statistics
import sys
import time

import numpy as np

workers, stragglers, steps = (int(word) for word in sys.argv[1:])
waited = workers - stragglers


def loop():
    rng, clock = np.random.default_rng(1), 0.0
    for _ in range(steps):
        clock += np.sort(rng.exponential(1.0, workers))[waited - 1]
    return clock


def arrays():
    delays = np.random.default_rng(1).exponential(1.0, (steps, workers))
    return np.partition(delays, waited - 1, axis=1)[:, waited - 1].sum()


def seconds(work):
    took = []
    for _ in range(5):
        begin = time.process_time()
        work()
        took.append(time.process_time() - begin)
    return statistics.median(took) / (steps * workers)


print(seconds(loop), seconds(arrays))
