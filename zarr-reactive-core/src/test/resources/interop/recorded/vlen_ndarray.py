"""Writes arrays of zarr-vlen-ndarray, one a line of standard output: a name, the chunk keys with
their values in base64, and what a reader must see.

    pip install zarr==3.4.2 zarr-vlen-ndarray==0.2.0
    python vlen_ndarray.py > vlen-ndarray.tsv
"""

import asyncio
import base64
import json

import numpy as np
import zarr
from zarr.storage import MemoryStore
from zarr_vlen_ndarray import NDArray, VlenNDArrayCodec

RANDOM = np.random.default_rng(41)


def write(name, dtype, row, shape, chunks, fill=None, shards=None, compressors=None):
    store = MemoryStore()
    array = zarr.create_array(
        store=store, shape=shape, chunks=chunks, shards=shards,
        dtype=NDArray(dtype=dtype, shape=(None, *row)), serializer=VlenNDArrayCodec(),
        compressors=compressors, fill_value=fill,
    )
    cells = np.empty(shape, dtype=object)
    for index in np.ndindex(*shape):
        rows = int(RANDOM.integers(0, 4))
        values = RANDOM.integers(0, 2 if dtype == "bool" else 100, (rows, *row))
        cells[index] = values.astype(dtype)
    array[tuple(slice(0, (s + 1) // 2 if name.endswith("-half") else s) for s in shape)] = cells[
        tuple(slice(0, (s + 1) // 2 if name.endswith("-half") else s) for s in shape)]
    seen = [np.asarray(cell).view(np.ndarray) for cell in array[...].reshape(-1)]
    if np.dtype(dtype).kind == "c":
        seen = [np.stack([c.real, c.imag], -1) for c in seen]
    values = {k: base64.b64encode(v.to_bytes()).decode() for k, v in store._store_dict.items()}
    print(name, json.dumps(values), json.dumps([c.tolist() for c in seen]), sep="\t")


none = zarr.codecs.ZstdCodec(level=3)
write("float32", "float32", (2,), (7,), (3,))
write("uint64-zstd", "uint64", (), (3, 4), (2, 2), compressors=none)
write("int16-deep", "int16", (2, 3), (5,), (5,))
write("bool", "bool", (), (6,), (4,))
write("complex64", "complex64", (), (4,), (2,))
write("float64-fill-half", "float64", (2,), (8,), (2,), fill=np.array([[1.5, -2.0]]))
write("int8-shards", "int8", (3,), (8,), (2,), shards=(4,))
