"""Makes the Icechunk repository that is compared, by icechunk itself.

    python make_repository.py DIRECTORY repo           the repository, and the file of virtual chunks
    python make_repository.py DIRECTORY virtual URL    one whose chunks lie in the file at a URL
"""

import os
import shutil
import sys

os.environ.setdefault("ICECHUNK_LOG", "error")
import icechunk as ic
import numpy as np
import zarr

CHUNKS = 1000
CHUNK = 8192  # of uint16: 16 KiB
HEAD = 100


def create(path, config=None):
    shutil.rmtree(path, ignore_errors=True)
    return ic.Repository.create(ic.local_filesystem_storage(path), config=config)


def arrays(directory):
    session = create(os.path.join(directory, "repo")).writable_session("main")
    root = zarr.group(store=session.store, overwrite=True)
    random = np.random.default_rng(7)
    steps = random.integers(-4, 5, (2000, 2000, 20), dtype=np.int32)
    large = root.create_array("large", shape=steps.shape, chunks=(250, 250, 20), dtype="u2")
    large[:] = (np.cumsum(steps, axis=0) + 30_000).astype("u2")
    small = root.create_array("small", shape=(4000, 400), chunks=(40, 40), dtype="u2")
    small[:] = random.integers(0, 99, small.shape, dtype="u2")
    for i in range(200):
        root.create_array(f"n{i:03}", shape=(10,), chunks=(10,), dtype="u2")[:] = i
    session.commit("data")
    with open(os.path.join(directory, "archive.bin"), "wb") as file:
        file.write(bytes(HEAD) + random.integers(0, 1 << 16, CHUNKS * CHUNK, dtype="<u2").tobytes())


def virtual(directory, url):
    config = ic.RepositoryConfig.default()
    prefix = url[: url.rindex("/") + 1]
    config.set_virtual_chunk_container(ic.VirtualChunkContainer(prefix, ic.http_store(opts={"allow_http": "true"})))
    session = create(os.path.join(directory, "virtual"), config).writable_session("main")
    root = zarr.group(store=session.store, overwrite=True)
    root.create_array("adjacent", shape=(CHUNKS * CHUNK,), chunks=(CHUNK,), dtype="u2", compressors=None)
    session.store.set_virtual_refs(
        "adjacent",
        [ic.VirtualChunkSpec([i], url, HEAD + 2 * CHUNK * i, 2 * CHUNK) for i in range(CHUNKS)])
    session.commit("adjacent chunks of a file")


if __name__ == "__main__":
    if sys.argv[2] == "repo":
        arrays(sys.argv[1])
    else:
        virtual(sys.argv[1], sys.argv[3])
