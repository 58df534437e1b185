"""Makes small files of HDF5, netCDF, TIFF and GRIB, references to them in every form, and the values
that Python reads through these references.

    python references.py OUTPUT

needs kerchunk, virtualizarr, tifffile, imagecodecs-numcodecs, netCDF4, h5py, fastparquet, pyarrow, zarr >= 3.4,
zstandard, cfgrib and eccodes. The references name files below s3://archive/; they are read from OUTPUT/data.
OUTPUT/values.tsv has a line for each array of each set: set, path, type of NumPy, shape, SHA-256 of the
elements in C order and little-endian.
"""

import base64
import copy
import gzip
import hashlib
import json
import os
import shutil
import sys
import tempfile

import fastparquet  # noqa: F401
import fsspec
import h5py
import kerchunk.combine
import kerchunk.df
import kerchunk.hdf
import kerchunk.netCDF3
import kerchunk.utils
import netCDF4
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import tifffile
import zarr
import zstandard
from fsspec.implementations.reference import LazyReferenceMapper, ReferenceFileSystem

ARCHIVE = "s3://archive/"
OUT = os.path.abspath(sys.argv[1])
DATA = os.path.join(OUT, "data")
SETS = os.path.join(OUT, "sets")
for made in (DATA, SETS):
    shutil.rmtree(made, ignore_errors=True)
    os.makedirs(made)
random = np.random.default_rng(34)
values = []


def data(name):
    return os.path.join(DATA, name)


# ---------------------------------------------------------------- files

with h5py.File(data("chunked.h5"), "w", track_order=False) as f:
    f.attrs["title"] = "chunked"
    f.create_dataset("shuffled", data=random.normal(size=(10, 12)), chunks=(4, 5), compression="gzip", shuffle=True)
    f.create_dataset("plain", data=np.arange(24, dtype="<u4").reshape(4, 6))
    f.create_dataset("big", data=np.arange(24, dtype=">i8").reshape(4, 6), chunks=(2, 6))
    f.create_dataset("one", data=np.float32(2.5))
    sparse = f.create_dataset("sparse", shape=(8, 8), dtype="f4", chunks=(4, 4), fillvalue=np.nan)
    sparse[0:4, 4:8] = 1.25
    f.create_dataset("deep/er/flags", data=np.array([True, False, True]))

with h5py.File(data("filters.h5"), "w", track_order=False) as f:  # which kerchunk does not support
    f.create_dataset("checked", data=np.arange(600, dtype="i2").reshape(20, 30), chunks=(7, 8), fletcher32=True)
    f.create_dataset("lzf", data=np.arange(600, dtype="i4").reshape(20, 30) // 7, chunks=(10, 30), compression="lzf")

with netCDF4.Dataset(data("air.nc"), "w") as f:
    f.createDimension("time", None)
    f.createDimension("lat", 5)
    f.createDimension("lon", 7)
    t = f.createVariable("time", "f8", ("time",))
    t.units = "hours since 2000-01-01"
    t[:] = np.arange(6) * 6.0
    f.createVariable("lat", "f4", ("lat",))[:] = np.linspace(-60, 60, 5)
    f.createVariable("lon", "f4", ("lon",))[:] = np.arange(7) * 51.0
    air = f.createVariable("air", "i2", ("time", "lat", "lon"), zlib=True, chunksizes=(2, 5, 4), fill_value=-999)
    air.scale_factor = 0.01
    air.add_offset = 250.0
    air.set_auto_maskandscale(False)
    air[:] = random.integers(-500, 500, size=(6, 5, 7))
    f.history = "made by references.py"

with netCDF4.Dataset(data("classic.nc"), "w", format="NETCDF3_CLASSIC") as f:
    f.createDimension("time", None)
    f.createDimension("x", 4)
    f.createVariable("x", "f8", ("x",))[:] = [1, 2, 3, 4]
    f.createVariable("level", "i4", ())[...] = 850
    u = f.createVariable("u", "f4", ("time", "x"))
    u[:] = random.normal(size=(5, 4))
    v = f.createVariable("v", "i2", ("time", "x"))
    v[:] = random.integers(0, 99, size=(5, 4))

for month in range(3):
    with netCDF4.Dataset(data(f"month-{month}.nc"), "w") as f:
        f.createDimension("time", 4)
        f.createDimension("x", 6)
        t = f.createVariable("time", "i4", ("time",))
        t.units = "days since 2000-01-01"
        t[:] = np.arange(4) + 4 * month
        f.createVariable("x", "f4", ("x",))[:] = np.arange(6)
        rain = f.createVariable("rain", "f4", ("time", "x"), zlib=True, shuffle=True, chunksizes=(2, 3))
        rain[:] = random.gamma(2, 3, size=(4, 6))

# floats in a row, for references of arithmetic
with open(data("rows.bin"), "wb") as f:
    f.write(b"HEAD" * 4 + np.arange(40, dtype="<f4").tobytes())

TIFFS = {
    "lzw": dict(data=random.integers(0, 9, size=(32, 48), dtype="u1"), compression="lzw", tile=(16, 16)),
    "lzw-horizontal-rgb": dict(
        data=(np.indices((32, 32, 3)).sum(0) * 3).astype("u1"),
        compression="lzw", predictor=2, tile=(16, 16), photometric="rgb"),
    "lzw-horizontal-16": dict(
        data=(np.indices((32, 48)).sum(0) * 257).astype("u2"), compression="lzw", predictor=2, tile=(16, 16)),
    "deflate-horizontal-big": dict(
        data=(np.indices((32, 32)).sum(0) * 100_000).astype("u4"), compression="zlib", predictor=2, rowsperstrip=8,
        byteorder=">"),
    "deflate-float": dict(
        data=random.normal(size=(32, 32)).astype("f4").cumsum(1), compression="zlib", predictor=3, tile=(16, 16)),
    "deflate-float-rgb": dict(
        data=random.normal(size=(16, 32, 3)).astype("f4"), compression="zlib", predictor=3, tile=(16, 16),
        photometric="rgb"),
    "lzw-double-big": dict(
        data=random.normal(size=(16, 16)).cumsum(0), compression="lzw", predictor=3, rowsperstrip=4, byteorder=">"),
    "zstd": dict(data=random.integers(0, 99, size=(32, 32), dtype="i4"), compression="zstd", rowsperstrip=16),
    "packbits": dict(data=np.repeat(np.arange(16, dtype="u1"), 64).reshape(32, 32), compression="packbits",
                     rowsperstrip=8),
    "lzma": dict(data=np.arange(256, dtype="u2").reshape(16, 16), compression="lzma", rowsperstrip=8),
    "plain": dict(data=np.arange(256, dtype="u2").reshape(16, 16), rowsperstrip=8, byteorder=">"),
    "pages": dict(data=random.integers(0, 50, size=(3, 16, 16), dtype="u2"), compression="zlib", predictor=2,
                  rowsperstrip=16, photometric="minisblack"),
}
for name, made in TIFFS.items():
    made = dict(made)
    image = made.pop("data")
    tifffile.imwrite(data(f"{name}.tif"), image, metadata=None, byteorder=made.pop("byteorder", "<"), **made)

# ---------------------------------------------------------------- reading


def local(references):
    """The same references with files of this machine."""
    return json.loads(json.dumps(references).replace(ARCHIVE[:-1], DATA))


def digest(array):
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
    return hashlib.sha256(little.tobytes()).hexdigest()


def read(name, fo, **options):
    """Notes the values of every array that Python reads through references."""
    fs = ReferenceFileSystem(fo, remote_protocol="file", asynchronous=True, skip_instance_cache=True, **options)
    store = zarr.storage.FsspecStore(fs, read_only=True, path="")
    lazy = isinstance(fs.references, LazyReferenceMapper)  # cannot list groups in groups
    keys = list(fs.references.zmetadata if lazy else fs.references)
    v3 = any(k.endswith("zarr.json") for k in keys)
    end = "zarr.json" if v3 else ".zarray"
    nodes = sorted(k[: -len(end)].rstrip("/") for k in keys if k.rsplit("/", 1)[-1] == end)
    found = 0
    for path in nodes:
        node = zarr.open(store, path=path, mode="r", zarr_format=3 if v3 else 2, use_consolidated=False)
        if isinstance(node, zarr.Array):
            content = np.asarray(node[...])
            note(name, "/" + path, content)
            found += 1
    assert found, name


def note(name, path, content):
    values.append((name, path, content.dtype.newbyteorder("<").str, ",".join(map(str, content.shape)), digest(content)))


def write(name, text, references=None):
    with open(os.path.join(SETS, name), "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    if references is not None:
        read(name, local(references))


def as_json(name, references, **style):
    write(name, json.dumps(references, **style), references)


def archived(references):
    return json.loads(json.dumps(references).replace(DATA + "/", ARCHIVE))


# ---------------------------------------------------------------- JSON of kerchunk

hdf = archived(kerchunk.hdf.SingleHdf5ToZarr(data("chunked.h5"), inline_threshold=0, error="raise").translate())
air = archived(kerchunk.hdf.SingleHdf5ToZarr(data("air.nc"), inline_threshold=0).translate())
classic = archived(kerchunk.netCDF3.NetCDF3ToZarr(data("classic.nc"), inline_threshold=0).translate())
as_json("hdf5-v1.json", hdf)
as_json("air-v1.json", air)
as_json("classic-v1.json", classic)
as_json("hdf5-v0.json", hdf["refs"])
as_json("air-v0-indented.json", air["refs"], indent=2)
as_json("air-inline.json", archived(kerchunk.hdf.SingleHdf5ToZarr(data("air.nc"), inline_threshold=500).translate()))
as_json("classic-inline.json",
        archived(kerchunk.netCDF3.NetCDF3ToZarr(data("classic.nc"), inline_threshold=500).translate()))


def base64_of(references):
    out = kerchunk.utils.do_inline(local(references), 10_000, remote_options={})
    texts = {}
    for key, value in out.get("refs", out).items():
        data_itself = isinstance(value, bytes) and not value.startswith((b"base64:", b"{"))
        value = b"base64:" + base64.b64encode(value) if data_itself else value
        texts[key] = value.decode() if isinstance(value, bytes) else value
    return archived({"version": 1, "refs": texts})


as_json("hdf5-base64.json", base64_of(hdf))
write("hdf5-v1.json.zst", zstandard.compress(json.dumps(hdf).encode()), hdf)
streamed = zstandard.ZstdCompressor().compressobj()
write("air-v1-streamed.json.zst", streamed.compress(json.dumps(air).encode()) + streamed.flush(), air)
write("air-v1.json.gz", gzip.compress(json.dumps(air).encode(), mtime=0), air)
consolidated = copy.deepcopy(air)
consolidated["refs"][".zmetadata"] = json.dumps({
    "zarr_consolidated_format": 1,
    "metadata": {k: json.loads(v) for k, v in air["refs"].items() if k.rsplit("/", 1)[-1].startswith(".z")}})
as_json("air-consolidated.json", consolidated)

objects = copy.deepcopy(hdf)
for key, value in objects["refs"].items():
    if key.rsplit("/", 1)[-1].startswith(".z") and isinstance(value, str):
        objects["refs"][key] = json.loads(value)
objects["refs"][".zattrs"] = {"title": "chunked", "nothing": float("nan"), "most": float("inf")}
as_json("hdf5-objects.json", objects)  # bare NaN and Infinity, in objects

bare = copy.deepcopy(hdf)
bare["refs"][".zattrs"] = '{"title": "chunked", "nothing": NaN, "most": -Infinity}'
bare["refs"]["sparse/.zarray"] = bare["refs"]["sparse/.zarray"].replace('"NaN"', "NaN")
as_json("hdf5-bare-nan.json", bare)

combined = kerchunk.combine.MultiZarrToZarr(
    [kerchunk.hdf.SingleHdf5ToZarr(data(f"month-{m}.nc"), inline_threshold=0).translate() for m in range(3)],
    concat_dims=["time"], identical_dims=["x"], inline_threshold=0,
).translate()
months = archived(combined)
as_json("months-combined.json", months)

# templates: names, functions, blanks; members in an order that nobody expects


def templated(references, change):
    refs = {}
    for key, value in references["refs"].items():
        refs[key] = [change(value[0])] + value[1:] if isinstance(value, list) else value
    return refs


names = {"u": ARCHIVE[:-1], "f": ARCHIVE + "month-{{m}}.nc", "unused": "x"}
write("air-templates.json", json.dumps(
    {"version": 1, "templates": {"u": ARCHIVE[:-1]},
     "refs": templated(air, lambda url: url.replace(ARCHIVE, "{{u}}/"))}), air)
write("months-function.json", json.dumps(
    {"refs": templated(months, lambda url: "{{ f(m='%s') }}" % url[-4]), "templates": names, "version": 1}), months)
write("months-nested.json", json.dumps(
    {"version": 1, "templates": {"a": "{{b}}archive", "b": "s3://", "g": "{{a}}/month-{{n}}.nc"},
     "refs": templated(months, lambda url: "{{g(n=%s)}}" % url[-4])}), months)

# generators: arithmetic, lists, steps
zarray = json.dumps({"zarr_format": 2, "shape": [10, 4], "chunks": [1, 4], "dtype": "<f4", "compressor": None,
                     "filters": None, "order": "C", "fill_value": 0})
plain_rows = {"rows/.zarray": zarray,
              **{f"rows/{i}.0": [ARCHIVE + "rows.bin", 16 + 16 * i, 16] for i in range(10)}}
generated = {
    "version": 1, "templates": {"u": ARCHIVE[:-1]},
    "gen": [{"key": "rows/{{i}}.0", "url": "{{u}}/rows.bin", "offset": "{{(i + 1) * 16}}", "length": "16",
             "dimensions": {"i": {"stop": 10}}}],
    "refs": {"rows/.zarray": zarray, ".zgroup": '{"zarr_format":2}'},
}
write("rows-gen.json", json.dumps(generated))
read("rows-gen.json", local(generated), simple_templates=False)
listed = copy.deepcopy(generated)
listed["gen"] = [
    {"key": "rows/{{a}}{{b}}.0", "url": "{{u}}/{{name}}.bin", "offset": "{{16 + (b - 0) * 16 // 1 + 0 % 7}}",
     "length": "{{4 * 4}}",
     "dimensions": {"a": [""], "name": ["rows"], "b": {"start": 1, "stop": 10, "step": 2}}},
    {"key": "rows/{{ b }}.0", "url": "{{ u }}/rows.bin", "offset": "{{ 16 * (b + 1) }}", "length": "16",
     "dimensions": {"b": [0, 2, 4, 6, 8]}},
]
write("rows-gen-lists.json", json.dumps(listed))
read("rows-gen-lists.json", local(listed), simple_templates=False)

# whole files, null URLs (the target of the options is rows.bin), relative URLs
whole = {"all/.zarray": json.dumps({"zarr_format": 2, "shape": [176], "chunks": [176], "dtype": "|u1",
                                    "compressor": None, "filters": None, "order": "C", "fill_value": 0}),
         "all/0": [ARCHIVE + "rows.bin"], ".zgroup": '{"zarr_format":2}'}
as_json("whole-file.json", whole)
nulls = {key: [None] + value[1:] if isinstance(value, list) else value
         for key, value in {**plain_rows, "all/.zarray": whole["all/.zarray"], "all/0": [""]}.items()}
nulls[".zgroup"] = '{"zarr_format":2}'
write("null-url.json", json.dumps(nulls))
read("null-url.json", local(nulls), target=data("rows.bin"))
write("relative.json", json.dumps(air).replace(ARCHIVE, "../data/"), air)
write("relative-base.json", json.dumps(air).replace(ARCHIVE, "./"), air)
write("simplecache.json", json.dumps(air).replace(ARCHIVE, "simplecache::" + ARCHIVE), air)
write("local-path.json", json.dumps(air).replace(ARCHIVE, "/archive/"), air)

# ---------------------------------------------------------------- VirtualiZarr

from obspec_utils.registry import ObjectStoreRegistry  # noqa: E402
from obstore.store import LocalStore  # noqa: E402
from virtualizarr import open_virtual_dataset  # noqa: E402
from virtualizarr.parsers import HDFParser, NetCDF3Parser  # noqa: E402

import zarr.registry  # noqa: E402
from zarr.codecs.numcodecs._codecs import _NumcodecsBytesBytesCodec  # noqa: E402


class Lzf(_NumcodecsBytesBytesCodec, codec_name="imagecodecs_lzf"):
    """The filter lzf of HDF5 by the name that VirtualiZarr gives it."""


zarr.registry.register_codec("numcodecs.imagecodecs_lzf", Lzf)
registry = ObjectStoreRegistry({"file://": LocalStore()})


def virtual(file, parser, **options):
    vds = open_virtual_dataset("file://" + data(file), registry=registry, parser=parser, **options)
    return vds.vz.rename_paths(lambda path: path.replace("file://" + DATA + "/", ARCHIVE))


v_air = virtual("air.nc", HDFParser(), loadable_variables=[])
v_loaded = virtual("air.nc", HDFParser(), loadable_variables=["lat", "lon"])
v_classic = virtual("classic.nc", NetCDF3Parser(), loadable_variables=[])
v_filters = virtual("filters.h5", HDFParser(), loadable_variables=[])
for name, vds in {"air": v_air, "loaded": v_loaded, "classic": v_classic}.items():
    for form in (2, 3):
        as_json(f"virtualizarr-{name}-v{form}.json", vds.vz.to_kerchunk(format="dict", zarr_format=form))
# its key for a scalar is "level/", which Python does not find: it reads the fill value
values[:] = [line for line in values if line[:2] != ("virtualizarr-classic-v2.json", "/level")]
note("virtualizarr-classic-v2.json", "/level", np.int32(850))
for form in (2, 3):
    # its name for lzf means a header, which chunks of HDF5 do not have: Python does not read them
    name = f"virtualizarr-filters-v{form}.json"
    write(name, json.dumps(v_filters.vz.to_kerchunk(format="dict", zarr_format=form)))
    with h5py.File(data("filters.h5")) as f:
        for path in ("checked", "lzf"):
            note(name, "/" + path, f[path][...])

# ---------------------------------------------------------------- Parquet


def parquet(name, make, same_as=None):
    """Writes references in Parquet twice: with the URLs of the archive, and local ones to read them.

    Where fsspec cannot read them, because a chunk is missing, they must give the values of another set."""
    make(os.path.join(SETS, name), lambda references: references)
    if same_as:
        values.extend((name, *line[1:]) for line in list(values) if line[0] == same_as)
        return
    with tempfile.TemporaryDirectory() as scratch:
        place = os.path.join(scratch, name)
        make(place, local)
        read(name, place)


def of_kerchunk(references, **options):
    return lambda place, change: kerchunk.df.refs_to_dataframe(change(copy.deepcopy(references)), place, **options)


parquet("hdf5.parq", of_kerchunk(hdf, record_size=4), same_as="hdf5-v1.json")
parquet("air.parq", of_kerchunk(air, record_size=5))
parquet("air-default.parq", of_kerchunk(air))
parquet("classic.parq", of_kerchunk(classic, record_size=3))
parquet("inline.parq", of_kerchunk(base64_of(air), record_size=3))
parquet("months.parq", of_kerchunk(months, record_size=7, categorical_threshold=1))
parquet("whole.parq", of_kerchunk({**whole, **{k: v for k, v in classic["refs"].items() if k.startswith("x/")}}))


def of_virtualizarr(vds):
    def make(place, change):
        renamed = vds.vz.rename_paths(lambda path: change([path])[0])
        renamed.vz.to_kerchunk(place, format="parquet", record_size=6)
    return make


parquet("virtualizarr-air.parq", of_virtualizarr(v_air))
parquet("virtualizarr-loaded.parq", of_virtualizarr(v_loaded))


def rewritten(references, drop=(), **options):
    """Writes the record files again with pyarrow."""
    def make(place, change):
        kerchunk.df.refs_to_dataframe(change(copy.deepcopy(references)), place, record_size=5)
        for folder, _, files in os.walk(place):
            for file in files:
                if file.endswith(".parq"):
                    whole_name = os.path.join(folder, file)
                    table = pq.read_table(whole_name)
                    kept = [c for c in table.column_names
                            if not (c in drop and table[c].null_count == table.num_rows)]
                    table = table.select(kept).replace_schema_metadata(None)
                    table = pa.table({c: table[c].cast(pa.string()) if c == "path" else table[c] for c in kept})
                    pq.write_table(table, whole_name, **options)
    return make


parquet("pyarrow-snappy.parq", rewritten(air, compression="snappy"))
parquet("pyarrow-gzip-plain.parq", rewritten(months, compression="gzip", use_dictionary=False))
parquet("pyarrow-none-v2.parq", rewritten(air, compression="none", data_page_version="2.0"),
        same_as="air-v1.json")  # fastparquet 2026.9 reads other numbers of these pages than pyarrow
parquet("pyarrow-zstd-v2-plain.parq",
        rewritten(months, compression="zstd", data_page_version="2.0", use_dictionary=False))
parquet("pyarrow-snappy-groups.parq", rewritten(air, compression="snappy", row_group_size=2))
parquet("pyarrow-dropped.parq", rewritten(air, compression="zstd", drop=("raw", "path"), write_statistics=False),
        same_as="air-v1.json")
parquet("pyarrow-small-pages.parq",
        rewritten(months, compression="zstd", data_page_size=1, write_batch_size=2, data_page_version="2.0"))

with_hole = os.path.join(SETS, "hole.parq")
kerchunk.df.refs_to_dataframe(copy.deepcopy(air), with_hole, record_size=5)
os.remove(os.path.join(with_hole, "air", "refs.0.parq"))
with tempfile.TemporaryDirectory() as scratch:
    place = os.path.join(scratch, "hole.parq")
    kerchunk.df.refs_to_dataframe(local(air), place, record_size=5)
    os.remove(os.path.join(place, "air", "refs.0.parq"))
    read("hole.parq", place)

# ---------------------------------------------------------------- TIFF


def tiff(name, **options):
    with tifffile.TiffFile(data(f"{name}.tif")) as file:
        store = file.series[0].aszarr() if len(file.series) == 1 else file.aszarr()
        target = os.path.join(SETS, options.pop("out"))
        store.write_fsspec(target, url=ARCHIVE[:-1], **options)
        store.close()
    return target


for name in TIFFS:
    if name == "pages":
        with tifffile.TiffFile(data("pages.tif")) as file:
            with file.series[0].aszarr() as store:
                target = os.path.join(SETS, "tiff-pages.json")
                store.write_fsspec(target, url=ARCHIVE[:-1])
            expected = file.series[0].asarray()
    else:
        target = tiff(name, out=f"tiff-{name}.json")
        expected = tifffile.imread(data(f"{name}.tif"))
    with open(target) as f:
        references = json.load(f)
    references.setdefault(".zgroup", '{"zarr_format":2}') if ".zarray" not in references else None
    note(os.path.basename(target), "/", expected)

for name in ("lzw-horizontal-rgb", "deflate-float", "lzw-horizontal-16", "zstd", "packbits", "deflate-horizontal-big"):
    target = tiff(name, out=f"tiff-{name}-v3.json", zarr_format=3, version=1)
    note(os.path.basename(target), "/", tifffile.imread(data(f"{name}.tif")))

# ---------------------------------------------------------------- GRIB: refused by the name of its codec

try:
    import eccodes
    from kerchunk.grib2 import scan_grib

    handle = eccodes.codes_grib_new_from_samples("regular_ll_sfc_grib2")
    eccodes.codes_set_values(handle, random.normal(280, 5, eccodes.codes_get_size(handle, "values")))
    with open(data("one.grib2"), "wb") as f:
        eccodes.codes_write(handle, f)
    write("grib.json", json.dumps(archived(scan_grib(data("one.grib2"), inline_threshold=0)[0])))
except ImportError as missing:
    print("no GRIB:", missing)

with open(os.path.join(OUT, "values.tsv"), "w") as f:
    for line in values:
        f.write("\t".join(line) + "\n")
print(len({line[0] for line in values}), "sets,", len(values), "arrays")
