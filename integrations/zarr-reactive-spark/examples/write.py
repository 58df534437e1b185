"""Writes a dataset with PySpark, makes it longer, and reads it.

    spark-submit --jars zarr-reactive-spark-0.1.0-SNAPSHOT.jar write.py new.zarr

The place must be empty. Where xarray is installed, it reads the same values.
"""

import sys

from pyspark.sql import SparkSession

location = sys.argv[1]
spark = SparkSession.builder.appName("zarr").getOrCreate()


def days(first, last):
    return spark.sql(f"""
        SELECT CAST(date_add(DATE '2020-01-01', CAST(d AS INT)) AS TIMESTAMP_NTZ) AS time,
               CAST(60 - l AS DOUBLE) AS lat, CAST(d * 100 + l AS FLOAT) AS t2m,
               IF(l = 3, NULL, CAST(d AS DOUBLE)) AS gaps
        FROM (SELECT id AS d FROM range({first}, {last})) CROSS JOIN (SELECT id AS l FROM range(20))
    """)


def writer(rows):
    return rows.write.format("zarr")


(
    writer(days(0, 10))
    .option("dimensions", "time,lat")
    .option("descending", "lat")
    .option("chunk-shape", "2,5")
    .option("shard-shape", "8,20")
    .option("attributes.t2m", '{"units": "K"}')
    .save(location)
)
try:
    writer(days(0, 1)).option("dimensions", "time,lat").save(location)
    raise AssertionError("a node that exists was replaced")
except Exception as e:
    assert 'mode("append") writes to it' in str(e), e
writer(days(0, 1)).option("dimensions", "time,lat").mode("ignore").save(location)
writer(days(8, 15)).mode("append").option("append", "time").save(location)
table = spark.read.format("zarr").load(location)
expected = days(0, 15)
assert table.count() == 300, table.count()
assert table.select(expected.columns).exceptAll(expected).count() == 0
assert expected.exceptAll(table.select(expected.columns)).count() == 0

chunks = spark.read.format("zarr").option("mode", "chunks").option("variables", "t2m").load(location)
writer(chunks).option("mode", "chunks").option("chunk-shape", "16,20").save(location + ".chunks")
copy = spark.read.format("zarr").load(location + ".chunks")
assert copy.selectExpr("sum(t2m)").first() == table.selectExpr("sum(t2m)").first()

writer(days(0, 2)).option("dimensions", "time,lat").mode("overwrite").save(location + ".chunks")
assert spark.read.format("zarr").load(location + ".chunks").count() == 40

try:
    import xarray as xr
except ImportError:
    print("xarray is not installed")
else:
    dataset = xr.open_zarr(location)
    assert dict(dataset.sizes) == {"time": 15, "lat": 20}, dataset.sizes
    assert float(dataset.t2m.sum()) == table.selectExpr("sum(t2m)").first()[0]
    assert int(dataset.gaps.isnull().sum()) == 15
    assert str(dataset.time.values[14])[:10] == "2020-01-15", dataset.time
print(spark.version, "has written and read", location)
spark.stop()
