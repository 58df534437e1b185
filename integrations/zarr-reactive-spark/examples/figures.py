"""Reductions of a dataset by xarray and dask, beside which ReductionFiguresTest measures Spark.

    figures.py DATASET THREADS

For each line of the input, the name of a reduction, it prints the seconds that it took, and the sum
of its numbers.
"""

import sys
import time

import dask
import xarray as xr

dask.config.set(scheduler="threads", num_workers=int(sys.argv[2]))
t = xr.open_zarr(sys.argv[1], chunks={}).t
reductions = {
    "sum": lambda: t.sum(dtype="f8"),
    "monthly mean": lambda: t.mean(("lat", "lon"), dtype="f8").resample(time="MS").mean(),
    "monthly mean of each cell": lambda: t.resample(time="MS").mean(),
}
for line in sys.stdin:
    name, _, with_flox = line.strip().partition(", ")
    xr.set_options(use_flox=with_flox == "flox")
    begin = time.perf_counter()
    result = reductions[name]().compute()
    seconds = time.perf_counter() - begin
    print(seconds, float(result.sum(dtype="f8")), flush=True)
