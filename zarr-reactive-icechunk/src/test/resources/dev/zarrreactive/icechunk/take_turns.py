"""Commits to a repository in turns with Java: one commit for each line of the standard input.

The array "a" grows by one element in each commit; element n is 3 n + 1.
"""
import sys

import icechunk
import numpy as np
import zarr

repository = icechunk.Repository.open(icechunk.local_filesystem_storage(sys.argv[1]))
for line in sys.stdin:
    session = repository.writable_session("main")
    array = zarr.open_array(session.store, path="a", mode="r+")
    count = array.shape[0]
    assert np.array_equal(array[...], 3 * np.arange(count) + 1), array[...]
    array.append(np.asarray([3 * count + 1], dtype=array.dtype))
    group = zarr.open_group(session.store, path="turns", mode="r+")
    group.attrs["last"] = count
    group.create_group(f"python{count}")
    if count > 4:
        del group[f"java{count - 1}"]
    print(session.commit(f"python {count}"), flush=True)
