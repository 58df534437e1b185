"""One task of docs/science.md by xarray and dask: science_peer.py TASK DATA TARGET.

Answers with the seconds from the opened dataset to the result, the seconds of processors that the
process has taken, the kilobytes that it has had at most, the chunks that it has asked for, and the mean of the result.
"""
import sys
import time
import warnings

import numpy as np
import xarray as xr
from zarr.storage import _local as local

warnings.simplefilter("ignore")
asked = 0


def counting(path, *settings):
    global asked
    asked += "/c/" in str(path)
    return read(path, *settings)


read = local._get
local._get = counting  # every way to read a value ends there
task, data, target = sys.argv[1:]
ds = xr.open_zarr(data, chunks={})
chunks = dict(zip(ds.t2m.dims, ds.t2m.encoding["chunks"]))
if task == "append":
    run = ds.isel(time=slice(0, chunks["time"]))
    step = ds.time[1] - ds.time[0]
    run = run.assign_coords(time=run.time + step * ds.sizes["time"])
    run.load().chunk(chunks).drop_encoding().to_zarr(target, consolidated=False)
    run = xr.open_zarr(target, chunks={}, consolidated=False)
elif task == "picture":
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot
asked = 0
start = time.perf_counter()
result = None
if task == "mean":
    result = ds.mean("time").t2m.compute()
elif task == "months":
    result = ds.resample(time="MS").mean().t2m.compute()
elif task == "climatology":
    result = ds.groupby("time.month").mean().t2m.compute()
elif task == "quantile":
    # a quantile needs one chunk along the dimension; dask chooses those of the others
    result = ds.chunk(time=-1, lat="auto", lon="auto").quantile(0.9, "time").t2m.compute()
elif task == "region":
    result = ds.weighted(np.cos(np.deg2rad(ds.lat))).mean(["lat", "lon"]).t2m.compute()
elif task == "frost":
    result = (ds.t2m < 273.15).sum("time").compute()
elif task == "point":
    result = ds.t2m.sel(time="2000-02").sel(lat=48.2, lon=16.4, method="nearest").compute()
elif task == "picture":
    ds.t2m.isel(time=0).plot().figure.savefig(target, format="png")
    result = xr.DataArray(0.0)
elif task == "packed":
    packing = {"dtype": "i2", "scale_factor": 0.01, "add_offset": 273.15, "_FillValue": -32768}
    ds.to_zarr(target, encoding={"t2m": packing})
elif task == "append":
    run.to_zarr(data, append_dim="time")
else:
    months = ds.groupby("time.month")
    anomalies = (months - months.mean()).drop_vars("month").chunk(chunks)
    anomalies.t2m.encoding = {}
    anomalies.to_zarr(target)
seconds = time.perf_counter() - start
processor = time.process_time()
requests = asked
if result is None:
    written = xr.open_zarr(data if task == "append" else target).t2m
    rows = slice(-128, None) if task == "append" else slice(0, 128)
    result = written.isel(time=rows).astype("f8") ** 2
mean = float(result.astype("f8").mean())
with open("/proc/self/status") as status:
    most = next(line.split()[1] for line in status if line.startswith("VmHWM"))
print(f"{seconds:.6f} {processor:.2f} {most} {requests} {mean:.17g}")
