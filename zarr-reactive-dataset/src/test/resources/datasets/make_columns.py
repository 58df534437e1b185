"""Writes columns.json.gz: quantiles, rolling windows, sums so far and the like that xarray computes of
the datasets in datasets.zip.

Run with xarray, cftime, zarr and numpy installed, without bottleneck: python make_columns.py
"""

import gzip
import json
import os
import tempfile
import warnings
import zipfile

import numpy as np
import xarray as xr

warnings.simplefilter("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))
OUT = tempfile.mkdtemp()
zipfile.ZipFile(os.path.join(HERE, "datasets.zip")).extractall(OUT)

QUANTILES = [0.0, 0.1, 0.5, 0.9, 0.999, 1.0]
EDGES = {"t2m": [240, 260, 270, 275, 280, 300], "tas": [200, 250, 270, 280, 290, 310], "tp": [0, 0.001, 0.01, 1],
         "f4": [0, 2, 50], "f8": [0, 2, 50], "i1": [0, 2, 50], "both": [0, 260, 270, 290]}
records = []


def values(a):
    def one(v):
        v = float(v)
        return None if np.isnan(v) else v
    return [one(v) for v in np.asarray(getattr(a, "values", a), "f8").ravel()]


def opened(name):
    path = os.path.join(OUT, name, "data.zarr")
    return xr.open_zarr(path, decode_timedelta=True, chunks=None).load()


def record(name, variable, how, result, **more):
    records.append({"dataset": name, "variable": variable, "how": how, **more, "dims": list(result.dims),
                    "values": values(result)})


def ordered(result, dims, group, part):
    """Returns a result of groups with the dimension of its quantiles first, and the group in its place."""
    names = [part if d == group else d for d in dims if d in result.dims or d == group]
    return result.transpose(*[d for d in result.dims if d not in names], *names)


SOURCES = [("era5-v3", "t2m", "time"), ("era5-v3", "tp", "time"), ("cmip-v2", "tas", "time"),
           ("cmip-360_day-v3", "tas", "time"), ("masked-v3", "f4", "x"), ("masked-v3", "f8", "x"),
           ("masked-v3", "i1", "x"), ("packed-v2", "both", "y"), ("packed-v2", "both", "x")]

for name, variable, along in SOURCES:
    v = opened(name)[variable].astype("f8")
    v = v.isel({d: slice(0, 3) for d in v.dims if d != along})
    others = [d for d in v.dims if d != along]
    for over in ([along], others, list(v.dims)):
        if not over:
            continue
        for skipna in (True, False):
            record(name, variable, "quantiles", v.quantile(QUANTILES, over, skipna=skipna), over=over, along=along, skipna=skipna)
            record(name, variable, "median", v.median(over, skipna=skipna), over=over, along=along, skipna=skipna)
            record(name, variable, "quantile 0.9", v.quantile(0.9, over, skipna=skipna), over=over, along=along, skipna=skipna)
    for how in ("first", "last"):
        one = v.assign_coords(one=(along, np.zeros(v.sizes[along], "i4"))).groupby("one")
        record(name, variable, how, getattr(one, how)().isel(one=0), over=[along], along=along, skipna=True)
    if not v.isnull().all(along).any():
        for how in ("argmin", "argmax"):
            record(name, variable, how, getattr(v, how)(along), over=[along], along=along, skipna=True)
    record(name, variable, "histogram", xr.apply_ufunc(
        lambda a: np.apply_along_axis(lambda c: np.histogram(c[~np.isnan(c)], EDGES[variable])[0], -1, a),
        v, input_core_dims=[[along]], output_core_dims=[["bin"]]), over=[along], along=along, skipna=True, edges=EDGES[variable])
    for window, least, center in [(3, None, False), (4, None, True), (5, 2, True), (2, 1, False), (50, 1, True)]:
        window = min(window, v.sizes[along])
        least = min(least, window) if least else None
        rolling = v.rolling({along: window}, center=center, min_periods=least)
        for how in ("mean", "sum", "min", "max", "std", "count"):
            record(name, variable, how, getattr(rolling, how)().transpose(*v.dims), rolling=along, window=window,
                   least=least or window, center=center)
    for how, result in {"sum": v.cumsum(along), "product": (v / 250).cumprod(along),
                        "max": v.cumulative(along).max(), "min": v.cumulative(along).min()}.items():
        record(name, variable, how, result.transpose(*v.dims), cumulative=along)

for name in ["era5-v3"] + sorted(n for n in os.listdir(OUT) if n.startswith("cmip-")):
    variable = "t2m" if name == "era5-v3" else "tas"
    v = opened(name)[variable].astype("f8")
    v = v.isel({d: slice(0, 3) for d in v.dims if d != "time"})
    groupings = {"part month": v.groupby("time.month"), "part season": v.groupby("time.season"),
                 "period MONTH": v.resample(time="MS"), "period YEAR": v.resample(time="YS")}
    for kind, grouped in groupings.items():
        part = kind.split()[1] if kind.startswith("part") else "time"
        fit = lambda result: ordered(result, v.dims, "time", part)
        record(name, variable, "quantiles", fit(grouped.quantile(QUANTILES)), group=kind)
        record(name, variable, "median", fit(grouped.median()), group=kind)
        record(name, variable, "first", fit(grouped.first()), group=kind)
        record(name, variable, "last", fit(grouped.last()), group=kind)

target = os.path.join(HERE, "columns.json.gz")
with gzip.GzipFile(target, "wb", 9, mtime=0) as file:
    file.write(json.dumps({"records": records}, separators=(",", ":")).encode())
print(len(records), "records,", os.path.getsize(target), "bytes")
