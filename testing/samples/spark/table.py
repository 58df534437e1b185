"""Writes a table of Spark as a Zarr dataset, reads it back, and averages over one of its dimensions."""

import sys

from pyspark.sql import SparkSession

location = sys.argv[1]
spark = SparkSession.builder.appName("zarr").getOrCreate()

rows = spark.sql(
    """SELECT time, lat, CAST(time * 10 + lat AS FLOAT) AS t
       FROM (SELECT id AS time FROM range(4)) CROSS JOIN (SELECT id AS lat FROM range(6))"""
)
rows.write.format("zarr").option("dimensions", "time,lat").option("chunk-shape", "2,3").save(location)

cells = spark.read.format("zarr").load(location)
north = cells.where("lat >= 4").groupBy("time").avg("t").orderBy("time")
for row in north.collect():
    print("time", row["time"], "mean", row["avg(t)"])
spark.stop()
