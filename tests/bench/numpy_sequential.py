# What users write today: the rounds of three sequential codes on a table of delays, round by round, all workers of a round at once;
# see bench_sequential.c, which runs it. numpy_sequential.py TABLE WORKERS CODE PARAMETERS…, CODE and its parameters being
# gc-deadline S, m-sgc B W LAMBDA or sr-sgc B W LAMBDA, all with mu = 1: prints the processor seconds of a run (median of seven)
# and its simulated seconds.
import statistics
import sys
import time

import numpy as np

MU = 1.0


def gc_deadline(delays, stragglers):
    clock = 0.0
    for times in delays:
        deadline = (1 + MU) * times.min()
        late = times > deadline
        slowest = times.max()
        clock += min(deadline, slowest) if late.sum() <= stragglers else slowest
    return clock


def bears(history, late, round_, length, window, distinct):
    recent = history[max(0, round_ - window + 1) : round_].any(axis=0)
    spent = history[max(0, round_ - window + 1) : max(0, round_ - length + 1)].any(axis=0)
    return not (late & spent).any() and (late | recent).sum() <= distinct


def m_sgc(delays, length, window, distinct):
    rounds, workers = delays.shape
    parts = window - 1 + length
    jobs = rounds - parts + 1
    history = np.zeros((rounds, workers), dtype=bool)
    delivered = np.zeros((rounds, workers), dtype=int)
    coded = np.zeros((rounds, length), dtype=int)
    clock = 0.0
    for r, times in enumerate(delays):
        deadline = (1 + MU) * times.min()
        late = times > deadline
        slowest = times.max()
        if not late.any() or not bears(history, late, r, length, window, distinct):
            clock += slowest
            late[:] = False
        else:
            clock += deadline
        history[r] = late
        heard = ~late
        for q in range(min(parts, r + 1)):
            job = r - q
            if job >= jobs:
                continue
            plain = delivered[job] < window - 1
            if q >= window - 1:
                coded[job, q - window + 1] = (heard & ~plain).sum()
            delivered[job] += heard & plain
        job = r - parts + 1
        if job >= 0:
            assert (delivered[job] == window - 1).all() and (coded[job] >= workers - distinct).all()
    return clock


def sr_sgc(delays, length, window, distinct):
    rounds, workers = delays.shape
    jobs = rounds - length
    stragglers = -(-length * distinct // (window - 1 + length))
    history = np.zeros((rounds, workers), dtype=bool)
    delivered = np.zeros((rounds, workers), dtype=bool)
    clock = 0.0
    for r, times in enumerate(delays):
        redo = np.zeros(workers, dtype=bool)
        old = r - length
        if old >= 0:
            lacking = workers - stragglers - delivered[old].sum()
            if lacking > 0:
                redo[np.flatnonzero(~delivered[old])[:lacking]] = True
        redoing = redo.any()
        if r >= jobs and not redoing:
            continue
        deadline = (1 + MU) * times.min()
        late = times > deadline
        slowest = times.max()
        if not late.any() or not bears(history, late, r, length, window, distinct):
            clock += slowest
            late[:] = False
        else:
            clock += deadline
        if late.sum() > stragglers or redoing:
            history[r] = late
        if r < jobs:
            delivered[r] = ~late & ~redo
        if redoing:
            delivered[old] |= redo & ~late
        if old >= 0:
            assert delivered[old].sum() >= workers - stragglers
    return clock


table = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1)
delays = np.ascontiguousarray(table[:, 2].reshape(-1, int(sys.argv[2])))
code = {"gc-deadline": gc_deadline, "m-sgc": m_sgc, "sr-sgc": sr_sgc}[sys.argv[3]]
parameters = [int(word) for word in sys.argv[4:]]
total = code(delays, *parameters)
took = []
for _ in range(7):
    begin = time.thread_time()
    for _ in range(10):
        code(delays, *parameters)
    took.append((time.thread_time() - begin) / 10)
print(statistics.median(took), repr(total))
