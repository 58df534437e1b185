"""Writes joins.json.gz and joins.zip: datasets that xarray joins, and what it makes of them.

Run with xarray, cftime, zarr and numpy 2 installed: python make_joins.py
A part is a selection of a dataset of datasets.zip, or a store of joins.zip. Of the values the hash is
recorded, with one NaN for all; times are nanoseconds since 1970, and texts end in a zero byte.
"""

import gzip
import hashlib
import json
import os
import random
import tempfile
import warnings
import zipfile

import numpy as np
import xarray as xr

warnings.simplefilter("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))
OUT = tempfile.mkdtemp()
zipfile.ZipFile(os.path.join(HERE, "datasets.zip")).extractall(OUT)
random.seed(38)
HOW = {"data_vars": "minimal", "coords": "minimal", "compat": "override", "join": "exact"}
RECORDS = []


class Beyond(Exception):
    pass


def canonical(values):
    values = np.ascontiguousarray(values)
    kind = values.dtype.kind
    if kind == "f":
        values = np.where(np.isnan(values), np.array(np.nan, values.dtype), values).astype(values.dtype)
    elif kind in "Mm":
        return str(values.dtype), values.astype(values.dtype.str[1:2] + "8[ns]").astype("<i8").tobytes()
    elif kind in "TUO":
        if not all(isinstance(v, str) for v in values.ravel()):
            raise Beyond()
        return "string", "".join(v + "\0" for v in values.ravel()).encode()
    elif kind not in "iub":
        raise Beyond()
    return str(values.dtype), values.tobytes()


def record(how, parts, result, names, **more):
    for name in names:
        try:
            kind, data = canonical(result[name].values)
        except Beyond:
            continue
        if result[name].size > 20000:
            continue
        RECORDS.append({"how": how, "parts": parts, "variable": name, "dims": list(result[name].dims),
                        "shape": list(result[name].shape), "type": kind,
                        "sha256": hashlib.sha256(data).hexdigest(), **more})


def opened(name):
    return xr.open_zarr(os.path.join(OUT, name, "data.zarr"), decode_timedelta=True, chunks=None).load()


names = [n for n in sorted(os.listdir(OUT)) if os.path.isdir(os.path.join(OUT, n, "data.zarr"))]
for name in names:
    ds = opened(name)
    for dim, size in ds.sizes.items():
        if size < 2 or any(v.dtype.kind == "S" for v in ds.variables.values()):
            continue
        for how in ("concat", "shuffled", "stack", "combine"):
            cuts = sorted(random.sample(range(1, size), min(size - 1, random.randint(1, 3))))
            spans = list(zip([0] + cuts, cuts + [size]))
            parts = [{"dataset": name, "dim": dim, "from": a, "to": b} for a, b in spans]
            some = [ds.isel({dim: slice(a, b)}) for a, b in spans]
            kept = [n for n in ds.variables if dim in ds[n].dims]
            if how == "shuffled":
                order = random.sample(range(len(parts)), len(parts))
                parts, some = [parts[i] for i in order], [some[i] for i in order]
            try:
                if how == "stack":
                    at = [random.randrange(size) for _ in range(3)]
                    parts = [{"dataset": name, "dim": dim, "at": i} for i in at]
                    some = [ds.isel({dim: i}).drop_vars(dim, errors="ignore") for i in at]
                    result = xr.concat(some, "extra", **{**HOW, "data_vars": "all"})
                    bounds = [v.encoding.get("bounds", v.attrs.get("bounds")) for v in ds.variables.values()]
                    data = [n for n in result.data_vars if n in kept and n not in bounds]  # these are coordinates
                    record("stack", parts, result, data, dim="extra")
                elif how == "combine":
                    if dim not in ds.indexes:
                        continue
                    index = ds.indexes[dim]
                    if not (index.is_unique and (index.is_monotonic_increasing or index.is_monotonic_decreasing)):
                        continue
                    order = random.sample(range(len(parts)), len(parts))
                    parts, some = [parts[i] for i in order], [some[i] for i in order]
                    result = xr.combine_by_coords(some, **HOW)
                    record("combine", parts, result, kept)
                else:
                    record("concat", parts, xr.concat(some, dim, **HOW), kept, dim=dim)
            except (ValueError, TypeError) as e:
                print(name, dim, how, str(e)[:90])

# stores that differ in units, types, packing and chunks
stores = tempfile.mkdtemp()
made = []


def store(ds, encoding, version=3):
    name = f"s{len(made)}"
    made.append(name)
    ds.to_zarr(os.path.join(stores, name), encoding=encoding, zarr_format=version, consolidated=True)
    return {"store": name}


def read(part):
    return xr.open_zarr(os.path.join(stores, part["store"]), chunks=None).load()


UNITS = ["days since 1990-01-01", "hours since 1900-01-01 06:00", "seconds since 2001-05-05", "minutes since 1999-12-31",
         "milliseconds since 1970-01-01", "microseconds since 2000-01-01"]
rng = np.random.default_rng(38)
for case in range(8):
    parts = []
    for k in range(4):
        n = int(rng.integers(3, 9))
        begin = np.datetime64("1999-12-30", "ns") + np.timedelta64(40 * k, "D")
        unit = UNITS[(case + k) % len(UNITS)]
        step = np.timedelta64(1, "D") if unit.startswith("days") else np.timedelta64(6, "h")
        time = begin + np.arange(n) * step
        t = rng.normal(size=(n, 4)).astype(["f4", "f8"][(case >> 1) % 2 if k % 2 else 0])
        p = np.round(rng.integers(-100, 100, size=(n, 4)) * 0.25, 2)
        p[0, 0] = np.nan
        ds = xr.Dataset({"t": (("time", "x"), t), "p": (("time", "x"), p),
                         "i": (("time",), rng.integers(0, 9, size=n).astype(["i2", "i4", "u1", "f4"][k if case % 2 else 0])),
                         "mask": (("x",), np.arange(4) > 1)},
                        coords={"time": time, "x": [1.5, 2.5, 3.5, 4.5]})
        chunks = int(rng.integers(1, n + 1))
        parts.append(store(ds, {
            "time": {"units": unit, "dtype": "i8"},
            "t": {"chunks": (chunks, 4)},
            "p": {"dtype": "i2", "scale_factor": 0.25 * (k + 1), "add_offset": float(k), "_FillValue": -32768,
                  "chunks": (chunks, 2)}},
            2 if case % 3 == 2 else 3))
    order = random.sample(range(4), 4)
    mixed = [parts[i] for i in order]
    result = xr.combine_by_coords([read(part) for part in mixed], **HOW)
    record("combine", mixed, result, ["time", "t", "p", "i", "x", "mask"])
    result = xr.concat([read(part) for part in mixed], "time", **HOW)
    record("concat", mixed, result, ["time", "t", "p", "i"], dim="time")
for case in range(4):
    z = rng.normal(size=(5, 7))
    ds = xr.Dataset({"z": (("y", "x"), z)}, coords={"y": 50.0 - np.arange(5), "x": np.arange(7) * 2.0})
    parts = []
    for a, b in ((0, 2), (2, 5)):
        for c, d in ((0, 3), (3, 4), (4, 7)):
            parts.append(store(ds.isel(y=slice(a, b), x=slice(c, d)), {"z": {"chunks": (1 + case, 2)}}))
    mixed = random.sample(parts, len(parts))
    other = store(xr.Dataset({"w": (("x",), np.arange(7.0) + case)}, coords={"x": ds.x}), {})
    mixed.insert(case, other)
    result = xr.combine_by_coords([read(part) for part in mixed], **HOW)
    record("combine", mixed, result, ["z", "w", "x", "y"])
    merged = [store(ds, {}), other]
    record("merge", merged, xr.merge([read(part) for part in merged], join="exact"), ["z", "w"])

with zipfile.ZipFile(os.path.join(HERE, "joins.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
    for folder, _, files in sorted(os.walk(stores)):
        for file in sorted(files):
            path = os.path.join(folder, file)
            info = zipfile.ZipInfo(os.path.relpath(path, stores), (2020, 1, 1, 0, 0, 0))
            archive.writestr(info, open(path, "rb").read(), zipfile.ZIP_DEFLATED)
target = os.path.join(HERE, "joins.json.gz")
with gzip.GzipFile(target, "wb", 9, mtime=0) as file:
    file.write(json.dumps({"records": RECORDS}, separators=(",", ":")).encode())
count = {}
for each in RECORDS:
    count[each["how"]] = count.get(each["how"], 0) + 1
print(len(RECORDS), "records,", count, os.path.getsize(target), "bytes,",
      os.path.getsize(os.path.join(HERE, "joins.zip")), "bytes of stores")
