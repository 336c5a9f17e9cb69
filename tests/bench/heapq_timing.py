# What users write today for asynchronous training, timing only: a heap with one pending event for each worker; see bench_timing.c,
# which runs it. heapq_timing.py WORKERS: prints the processor seconds of an update.
import heapq
import random
import statistics
import sys
import time

workers, updates = int(sys.argv[1]), 200000
pending = [(random.expovariate(1.0), worker, 0) for worker in range(workers)]
heapq.heapify(pending)
version = stale = 0
took = []
for _ in range(5):
    begin = time.process_time()
    for _ in range(updates):
        now, worker, begun = pending[0]
        stale += version - begun
        version += 1
        heapq.heapreplace(pending, (now + random.expovariate(1.0), worker, version))
    took.append(time.process_time() - begin)
print(statistics.median(took) / updates)
