"""Writes places.json.gz and places.zip: selections of several labels, of points and between values by xarray.

Run with xarray, cftime, scipy, zarr and numpy 2 installed: python make_places.py
Selections are of datasets.zip and of the grid in places.zip. Of selected values the hash is recorded,
as make_joins.py says; of interpolated ones the values.
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


def record(name, op, result, names):
    for each in names:
        if each not in result or result[each].size > 20000:
            continue
        base = {"dataset": name, "variable": each, "dims": list(result[each].dims),
                "shape": list(result[each].shape), **op}
        if op["op"] == "interp":
            values = result[each].values.astype("f8").ravel()
            if values.size > 400 or np.isinf(values).any():
                continue
            RECORDS.append({**base, "type": str(result[each].dtype),
                            "values": [float(v) if np.isfinite(v) else None for v in values]})
            continue
        try:
            kind, data = canonical(result[each].values)
        except Beyond:
            continue
        RECORDS.append({**base, "type": kind, "sha256": hashlib.sha256(data).hexdigest()})


rng = np.random.default_rng(38)
grid = xr.Dataset(
    {"t": (("time", "lat", "lon"), np.round(rng.normal(280, 10, size=(6, 9, 36)), 1).astype("f4")),
     "height": (("lat", "lon"), rng.integers(0, 3000, size=(9, 36)).astype("i2")),
     "u": (("lon", "time", "lat"), np.round(rng.normal(size=(36, 6, 9)), 2)),
     "name": (("lat",), [f"row {i}" for i in range(9)])},
    coords={"time": np.datetime64("2020-02-27", "ns") + np.arange(6) * np.timedelta64(18, "h"),
            "lat": 40.0 - 10 * np.arange(9.0), "lon": 10.0 * np.arange(36)})
stores = tempfile.mkdtemp()
grid.to_zarr(os.path.join(stores, "grid"), encoding={
    "t": {"chunks": (4, 4, 7)}, "u": {"chunks": (10, 6, 4)}, "height": {"chunks": (3, 10)},
    "time": {"units": "hours since 2000-01-01", "dtype": "i8"}}, consolidated=True)
all_sets = {"grid": xr.open_zarr(os.path.join(stores, "grid"), chunks=None).load()}
for name in sorted(os.listdir(OUT)):
    path = os.path.join(OUT, name, "data.zarr")
    if os.path.isdir(path):
        all_sets[name] = xr.open_zarr(path, decode_timedelta=True, chunks=None).load()


def numeric(ds):
    found = []
    for dim in ds.sizes:
        if dim in ds.indexes and ds[dim].dtype.kind in "iuf" and ds.sizes[dim] > 1:
            index = ds.indexes[dim]
            if index.is_unique and (index.is_monotonic_increasing or index.is_monotonic_decreasing):
                found.append(dim)
    return found


def label(ds, dim, outside=0.0):
    values = ds[dim].values.astype("f8")
    low, high = values.min(), values.max()
    gap = (high - low) * outside
    if random.random() < 0.25:
        return float(random.choice(values))
    return round(random.uniform(low - gap, high + gap), 3)


for name, ds in all_sets.items():
    dims = numeric(ds)
    for n in range(len(dims) * (30 if name == "grid" else 6)):
        dim = random.choice(dims)
        labels = [label(ds, dim) for _ in range(random.randint(1, 5))]
        kept = [v for v in ds.variables if dim in ds[v].dims]
        try:
            result = ds.sel({dim: labels}, method="nearest")
            record(name, {"op": "labels", "dim": dim, "labels": labels}, result, kept)
        except (KeyError, ValueError):
            pass
        if dim in ds.indexes:
            bound = label(ds, dim)
            mask = ds[dim] > bound
            record(name, {"op": "mask", "dim": dim, "bound": bound}, ds.isel({dim: mask.values}), kept)
        some = random.sample(dims, random.randint(1, min(2, len(dims))))
        count = random.randint(1, 7)
        at = {d: [label(ds, d) for _ in range(count)] for d in some}
        result = ds.sel({d: xr.DataArray(v, dims="place") for d, v in at.items()}, method="nearest")
        record(name, {"op": "points", "at": at}, result, list(ds.variables))
        how = random.choice(["linear", "nearest"])
        at = {d: [label(ds, d, 0.1) for _ in range(random.randint(1, 4))] for d in some}
        usable = [v for v in ds.variables if v not in ds.sizes and ds[v].dtype.kind in "if" and
                  any(d in ds[v].dims for d in some)]
        try:
            # beside a missing value xarray has none at an equal label, where the value is there
            equal = any(x in ds[d].values.astype("f8") for d in some for x in at[d])
            usable = [v for v in usable if not equal or not ds[v].isnull().any()]
            result = ds[usable].interp(at, method=how)
            record(name, {"op": "interp", "how": how, "at": at}, result, usable)
        except (TypeError, ValueError) as e:
            print(name, str(e)[:100])
ds = all_sets["grid"]
for n in range(60):
    west = random.choice([-180, -20.0, -10, 0, 5, 170, 300, 350, round(random.uniform(-180, 360), 1)])
    width = random.choice([0, 20, 25.5, 180, 300])
    east = west + width
    moved = ds.assign_coords(lon=ds.lon + np.ceil((west - ds.lon) / 360) * 360).sortby("lon")
    record("grid", {"op": "around", "dim": "lon", "from": west, "to": east},
           moved.sel(lon=slice(west, east)), ["t", "u", "height", "lon"])
for n in range(20):
    times = sorted(random.sample(range(0, 90), 3))
    at = [str(np.datetime64("2020-02-27") + np.timedelta64(h, "h")) for h in times]
    result = ds[["t", "u"]].interp(time=np.array(at, "M8[ns]"))
    record("grid", {"op": "interp", "how": "linear", "at": {"time": at}}, result, ["t", "u"])

with zipfile.ZipFile(os.path.join(HERE, "places.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
    for folder, _, files in sorted(os.walk(stores)):
        for file in sorted(files):
            path = os.path.join(folder, file)
            info = zipfile.ZipInfo(os.path.relpath(path, stores), (2020, 1, 1, 0, 0, 0))
            archive.writestr(info, open(path, "rb").read(), zipfile.ZIP_DEFLATED)
target = os.path.join(HERE, "places.json.gz")
with gzip.GzipFile(target, "wb", 9, mtime=0) as file:
    file.write(json.dumps({"records": RECORDS}, separators=(",", ":")).encode())
count = {}
for each in RECORDS:
    count[each["op"]] = count.get(each["op"], 0) + 1
print(len(RECORDS), "records,", count, os.path.getsize(target), "bytes,",
      os.path.getsize(os.path.join(HERE, "places.zip")), "bytes of stores")
