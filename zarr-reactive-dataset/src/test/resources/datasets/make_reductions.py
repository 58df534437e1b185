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
PERIODS = {"DAY": "D", "MONTH": "MS", "SEASON": "QS-DEC", "YEAR": "YS", "HOUR 6": "6h", "DAY 5": "5D",
           "MONTH 2": "2MS", "WEEK": "W-MON", "HOUR 36": "36h"}
PARTS = ["year", "month", "season", "day", "dayofyear", "hour"]


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
        if period not in ("MONTH", "MONTH 2", "SEASON", "YEAR") and name != "era5-v3":
            continue
        if period == "HOUR 36" and name != "era5-v3":
            continue
        cut = 0 if period in ("DAY", "MONTH", "SEASON", "YEAR") else 3
        some = wide.isel({d: slice(0, cut) for d in wide.dims if d != "time"}) if cut else wide
        for how in ("mean", "min", "max"):
            weeks = {"label": "left", "closed": "left"} if period == "WEEK" else {}
            result = getattr(some.resample(time=rule, **weeks), how)()
            result = result.transpose(*wide.dims)
            starts = [str(t)[:19].replace(" ", "T") for t in result.time.values]
            records.append({"dataset": name, "variable": variable, "cut": cut, "period": period, "how": how,
                            "dims": list(result.dims), "starts": starts, "values": values(result)})

for name in ["era5-v3"] + sorted(n for n in os.listdir(OUT) if n.startswith("cmip-")):
    ds = opened(name)
    variable = "t2m" if name == "era5-v3" else "tas"
    wide = ds[variable].astype("f8")
    lat = "latitude" if name == "era5-v3" else "lat"
    for part in PARTS:
        some = wide.isel({d: slice(0, 3) for d in wide.dims if d != "time"})
        grouped = some.groupby("time." + part)
        for how in ("mean", "max", "std"):
            result = getattr(grouped, how)()
            result = result.transpose(*[part if d == "time" else d for d in wide.dims])
            records.append({"dataset": name, "variable": variable, "cut": 3, "part": part, "how": how,
                            "dims": list(result.dims), "labels": [str(v) for v in result[part].values],
                            "values": values(result)})
        anomaly = (grouped - grouped.mean()).transpose(*wide.dims)
        records.append({"dataset": name, "variable": variable, "cut": 3, "part": part, "how": "anomaly",
                        "dims": list(anomaly.dims), "values": values(anomaly)})
    weights = np.cos(np.deg2rad(ds[lat].astype("f8")))
    for over in ([lat], [d for d in wide.dims if d != "time"], ["time"], list(wide.dims)):
        for skipna in (True, False):
            for how in ("mean", "sum"):
                result = getattr(wide.weighted(weights), how)(over, skipna=skipna)
                records.append({"dataset": name, "variable": variable, "weighted": lat, "over": over,
                                "skipna": skipna, "how": how, "dims": list(result.dims), "values": values(result)})

target = os.path.join(HERE, "reductions.json.gz")
with gzip.GzipFile(target, "wb", 9, mtime=0) as file:
    file.write(json.dumps({"records": records}, separators=(",", ":")).encode())
print(len(records), "records,", os.path.getsize(target), "bytes")
