"""One task of docs/science.md by xarray and dask: science_peer.py TASK DATA TARGET.

Answers with the seconds from the opened dataset to the result, the kilobytes that the process has
had at most, the chunks that it has asked for, and the mean of the result.
"""
import sys
import time
import warnings

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
start = time.perf_counter()
if task == "mean":
    result = ds.mean("time").compute()
elif task == "climatology":
    result = ds.groupby("time.month").mean().compute()
elif task == "quantile":
    # a quantile needs one chunk along the dimension; dask chooses those of the others
    result = ds.chunk(time=-1, lat="auto", lon="auto").quantile(0.9, "time").compute()
else:
    months = ds.groupby("time.month")
    anomalies = (months - months.mean()).drop_vars("month")
    anomalies = anomalies.chunk({name: ds.t2m.encoding["chunks"][i] for i, name in enumerate(ds.t2m.dims)})
    anomalies.t2m.encoding = {}
    anomalies.to_zarr(target)
seconds = time.perf_counter() - start
chunks = asked
if task == "anomalies":
    first = xr.open_zarr(target).t2m.isel(time=slice(0, 128)).astype("f8")
    total = float((first**2).mean())
else:
    total = float(result.t2m.astype("f8").mean())
with open("/proc/self/status") as status:
    most = next(line.split()[1] for line in status if line.startswith("VmHWM"))
print(f"{seconds:.6f} {most} {chunks} {total:.17g}")
