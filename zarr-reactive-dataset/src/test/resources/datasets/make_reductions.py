"""Writes reductions.json.gz: statistics that xarray computes of the datasets in datasets.zip.

Run with xarray, cftime, zarr and numpy installed: python make_reductions.py
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

CASES = {
    "era5-v3": (["t2m", "tp"], [["time"], ["latitude", "longitude"], ["time", "longitude"], []]),
    "cmip-v2": (["tas"], [["time"], ["lat", "lon"], []]),
    "cmip-360_day-v3": (["tas"], [["time"], []]),
    "masked-v3": (["i1", "i2", "i4", "u1", "f4", "f8", "kept"], [[]]),
    "packed-v2": (["both", "scale", "offset", "byte", "whole"], [[]]),
    "boolean-v3": (["b"], [[]]),
}
PERIODS = {"DAY": "D", "MONTH": "MS", "SEASON": "QS-DEC", "YEAR": "YS"}


def values(a):
    def one(v):
        v = float(v)
        return None if np.isnan(v) else v
    return [one(v) for v in np.asarray(a.values, "f8").ravel()]


def opened(name):
    path = os.path.join(OUT, name, "data.zarr")
    return xr.open_zarr(path, decode_timedelta=True, chunks=None).load()


records = []
for name, (variables, dims) in CASES.items():
    if not os.path.isdir(os.path.join(OUT, name)):
        raise SystemExit("no " + name + " in " + str(sorted(os.listdir(OUT))))
    ds = opened(name)
    for variable in variables:
        v = ds[variable]
        if v.dtype == np.float32:  # float64 sums are those that are compared
            wide = v.astype("f8")
        else:
            wide = v
        for over in dims:
            by = over or list(v.dims)
            for skipna in (True, False):
                for how in ("mean", "sum", "min", "max", "std", "count"):
                    if how == "count":
                        result = wide.count(by)
                    elif v.dtype == bool and how in ("min", "max", "std"):
                        continue
                    else:
                        result = getattr(wide, how)(by, **({"skipna": skipna} if v.dtype.kind == "f" else {}))
                    records.append({"dataset": name, "variable": variable, "over": by, "skipna": skipna,
                                    "how": how, "dims": list(result.dims), "values": values(result)})

for name in ["era5-v3"] + sorted(n for n in os.listdir(OUT) if n.startswith("cmip-")):
    ds = opened(name)
    variable = "t2m" if name == "era5-v3" else "tas"
    wide = ds[variable].astype("f8")
    for period, rule in PERIODS.items():
        if period == "DAY" and name != "era5-v3":
            continue
        for how in ("mean", "min", "max"):
            result = getattr(wide.resample(time=rule), how)()
            result = result.transpose(*wide.dims)
            starts = [str(t)[:19].replace(" ", "T") for t in result.time.values]
            records.append({"dataset": name, "variable": variable, "period": period, "how": how,
                            "dims": list(result.dims), "starts": starts, "values": values(result)})

target = os.path.join(HERE, "reductions.json.gz")
with gzip.GzipFile(target, "wb", 9, mtime=0) as file:
    file.write(json.dumps({"records": records}, separators=(",", ":")).encode())
print(len(records), "records,", os.path.getsize(target), "bytes")
