"""Writes science.json.gz: what xarray makes of the dataset of docs/science.md.

Run with xarray, zarr and numpy installed: python make_science.py
"""

import gzip
import json
import os
import tempfile

import numpy as np
import xarray as xr

HERE = os.path.dirname(os.path.abspath(__file__))
url = os.path.join(tempfile.mkdtemp(), "era.zarr")
target = os.path.join(tempfile.mkdtemp(), "new.zarr")


def field(first, days):
    t, y, x = np.ix_(np.arange(first, first + days), np.arange(3), np.arange(4))
    data = 250 + ((t * 37 + y * 11 + x * 5) % 401) / 8
    data[(t + y + x) % 17 == 0] = np.nan
    time = np.datetime64("2019-01-01", "s") + np.arange(first, first + days).astype("m8[D]")
    return xr.Dataset({"t2m": (("time", "lat", "lon"), data, {"units": "K"})},
                      {"time": time, "lat": ("lat", [49.0, 48.0, 47.0], {"units": "degrees_north"}),
                       "lon": ("lon", [15.0, 16.0, 17.0, 18.0], {"units": "degrees_east"})})


field(0, 400).to_zarr(url)
results = {}

# the tasks, as on the page
ds = xr.open_zarr(url, chunks=None)
print(ds)
results["point"] = ds.t2m.sel(time="2019-01").sel(lat=48.2, lon=16.4, method="nearest")
results["months"] = ds.resample(time="MS").mean().t2m
results["climatology"] = ds.groupby("time.month").mean().t2m
weights = np.cos(np.deg2rad(ds.lat))
results["region"] = ds.weighted(weights).mean(["lat", "lon"]).t2m
months = ds.groupby("time.month")
(months - months.mean()).drop_vars("month").to_zarr(target)
results["anomalies"] = xr.open_zarr(target, chunks=None).t2m.transpose("time", "lat", "lon")
results["hot"] = ds.quantile(0.9, "time").t2m
results["quartiles"] = ds.t2m.quantile([0.25, 0.5, 0.75])
smooth = ds.t2m.rolling(time=7, center=True).mean()
results["smooth"] = smooth
results["frost"] = (ds.t2m < 273.15).sum("time")
field(400, 30).to_zarr(url, append_dim="time")
results["appended"] = xr.open_zarr(url, chunks=None).t2m.isel(time=slice(398, 402))
new = os.path.join(tempfile.mkdtemp(), "packed.zarr")
packing = {"dtype": "i2", "scale_factor": 0.01, "add_offset": 273.15, "_FillValue": -32768, "chunks": (100, 3, 4)}
ds.to_zarr(new, encoding={"t2m": packing})
results["packed"] = xr.open_zarr(new, chunks=None).t2m.isel(time=slice(0, 20))

with open(os.path.join(HERE, "science.json.gz"), "wb") as out, gzip.GzipFile("", "wb", 9, out, 0) as file:
    def value(v):
        return None if np.isnan(v) else float(v)
    file.write(json.dumps({name: {"dims": list(r.dims), "values": [value(v) for v in np.asarray(r, "f8").ravel()]}
               for name, r in results.items()}, separators=(",", ":")).encode())
print(os.path.getsize(os.path.join(HERE, "science.json.gz")), "bytes")
