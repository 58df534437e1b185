"""Compares the cells of a dataset with xarray's to_dataframe, by PySpark.

    spark-submit --jars zarr-reactive-spark-0.1.0-SNAPSHOT.jar compare.py data.zarr

Needs xarray, zarr and pandas; needs a dataset whose
variables share their dimensions.
"""

import sys

import numpy as np
import xarray as xr
from pyspark.sql import SparkSession

location = sys.argv[1]
spark = SparkSession.builder.appName("zarr").getOrCreate()
table = spark.read.format("zarr").option("decode", "xarray").load(location)
table.printSchema()
dataset = xr.open_zarr(location, decode_coords="all", decode_timedelta=True)
frame = dataset.to_dataframe().reset_index()
rows = table.collect()
assert table.count() == len(rows) == len(frame), (table.count(), len(rows), len(frame))


def form(value):
    if value is None or value != value:
        return None
    if isinstance(value, (int, float, np.integer, np.floating)):
        return float(value)
    return str(value)


columns = [name for name in table.columns if name in frame.columns]
ours = sorted(tuple(form(row[c]) for c in columns) for row in rows)
theirs = sorted(tuple(form(v) for v in row) for row in frame[columns].itertuples(index=False))
assert ours == theirs, [pair for pair in zip(ours, theirs) if pair[0] != pair[1]][:3]
print(spark.version, location, len(rows), "rows of", columns, "are those of xarray")
spark.stop()
