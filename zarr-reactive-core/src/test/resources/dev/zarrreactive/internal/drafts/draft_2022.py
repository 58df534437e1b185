"""Writes draft-2022.zip with zarr-python 2.18.7 (numcodecs 0.15): hierarchies of the 2022 draft.

python draft_2022.py DIRECTORY; the directory's contents are the archive's.
"""

import os
import sys

os.environ["ZARR_V3_EXPERIMENTAL_API"] = "1"
os.environ["ZARR_V3_SHARDING"] = "1"

import numcodecs
import numpy as np
import zarr
from zarr._storage.v3 import DirectoryStoreV3
from zarr._storage.v3_storage_transformers import ShardingStorageTransformer

OUT = sys.argv[1]
store = DirectoryStoreV3(f"{OUT}/store")
os.makedirs(f"{OUT}/expected")


def write(path, data, chunks=None, **options):
    array = zarr.create(
        shape=data.shape, chunks=chunks or data.shape, dtype=data.dtype,
        store=store, path=path, zarr_version=3, **options)
    array[...] = data
    np.ascontiguousarray(array[...]).tofile(f"{OUT}/expected/{path.replace('/', '_')}.bin")


def sharding(*chunks_per_shard):
    return [ShardingStorageTransformer("indexed", chunks_per_shard=chunks_per_shard)]


zarr.group(store=store, zarr_version=3)
write("shard", np.arange(60, dtype="<i4").reshape(6, 10), (2, 5),
      storage_transformers=sharding(2, 2), compressor=numcodecs.GZip(1))
write("shardf", np.arange(63, dtype="<f8").reshape(7, 9), (2, 3),
      storage_transformers=sharding(2, 1), compressor=numcodecs.Zstd(1), order="F", fill_value=7)
write("cplx", (np.arange(6) + 1j).astype("<c16").reshape(2, 3), (2, 2), fill_value=0)
write("dt", np.array(["2020-01-01", "NaT", "1999-12-31T10:00"], dtype="<M8[ns]"))
write("s3", np.array([b"a", b"bcd", b""], dtype="S3"))
write("u3", np.array(["a", "bc\u00e9", ""], dtype="<U3"))
write("v3", np.array([b"abc", b"def"], dtype="V3"))
struct = np.zeros(3, dtype=[("a", "<i2"), ("b", ">f4")])
struct["a"] = [1, 2, 3]
struct["b"] = [0.5, 1.5, 2.5]
write("struct", struct)
write("scalar", np.array(5, dtype=">i4"), ())
write("nullfill", np.arange(4, dtype=">f8"), (3,), fill_value=None)
write("nan", np.arange(4, dtype="<f4"), (3,), fill_value=np.nan)
write("inf", np.arange(4, dtype="<f4"), (3,), fill_value=np.inf)
write("delta", np.arange(10, dtype="<i8"), (4,),
      filters=[numcodecs.Delta("<i8")], compressor=numcodecs.Blosc())
write("dots", np.arange(6, dtype="u1").reshape(2, 3), (1, 2), dimension_separator=".")
for name, codec in (("lz4", numcodecs.LZ4()), ("lzma", numcodecs.LZMA()), ("bz2", numcodecs.BZ2())):
    write(name, np.arange(100, dtype="<u2"), (50,), compressor=codec)
write("a/b/deep", np.arange(3, dtype="i1"))
write("empty", np.zeros((0, 3), dtype="<i4"), (1, 3))
write("f16", np.arange(3, dtype="<f2"))
write("bool", np.array([True, False]))
zarr.convenience.consolidate_metadata(store, path="")

texts = zarr.create(
    shape=(3,), chunks=(2,), dtype=object, store=store, path="obj", zarr_version=3,
    object_codec=numcodecs.VLenUTF8(), fill_value="")
texts[...] = np.array(["a", "bc\u00e9", ""], dtype=object)

root = DirectoryStoreV3(f"{OUT}/root-array")
array = zarr.create(
    shape=(3, 4), chunks=(2, 3), dtype="<i2", store=root, zarr_version=3, order="F", compressor=None)
array[...] = np.arange(12).reshape(3, 4)
array.attrs["a"] = 1
