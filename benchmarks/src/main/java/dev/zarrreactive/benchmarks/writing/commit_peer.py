"""Commits changed chunks to a repository of its own, one commit for each line with their number.

Answers with the microseconds of the commit, and the kilobytes that the process has had at most.
"""
import sys
import time

import icechunk
import numpy as np
import zarr

MOST = 100_000
repository = icechunk.Repository.create(icechunk.local_filesystem_storage(sys.argv[1]))
session = repository.writable_session("main")
zarr.create_array(session.store, name="a", shape=(MOST,), chunks=(1,), dtype="int32", compressors=None)
session.commit("begin")
for number, line in enumerate(sys.stdin):
    count = int(line)
    session = repository.writable_session("main")
    array = zarr.open_array(session.store, path="a", mode="r+")
    array[:count] = np.arange(count, dtype="int32") + number + 1
    start = time.perf_counter()
    session.commit(f"commit {number}")
    spent = time.perf_counter() - start
    with open("/proc/self/status") as status:
        most = next(line.split()[1] for line in status if line.startswith("VmHWM"))
    print(int(spent * 1e6), most, flush=True)
