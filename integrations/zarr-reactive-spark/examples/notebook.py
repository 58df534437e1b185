"""Zarr in PySpark, cell by cell as in a notebook.

    spark-submit --packages dev.zarrreactive:zarr-reactive-spark:0.1.0-SNAPSHOT notebook.py data.zarr

Needs a dataset with a variable t(time, lat, station).
In a notebook, the session takes the package itself:
SparkSession.builder.config("spark.jars.packages", ...).
"""

# %% The session, and the dataset
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

location = sys.argv[1]
spark = SparkSession.builder.appName("zarr").getOrCreate()
cells = spark.read.format("zarr").option("variables", "t").load(location)
cells.printSchema()

# %% Rows of a region: chunks without one of them are not requested
region = cells.where("lat BETWEEN 40 AND 50")
print("rows", region.count(), "of", cells.count())

# %% A mean for each station
means = region.groupBy("station").agg(F.avg("t").alias("mean")).orderBy("station")
means.show(3)
print("stations", means.count())

# %% The next step is SQL
cells.createOrReplaceTempView("weather")
first = spark.sql("SELECT min(time) AS first, max(lat) AS north FROM weather").first()
print("first", first["first"], "north", first["north"])

# %% Chunks as bytes, for NumPy
chunks = spark.read.format("zarr").option("mode", "chunks").option("variables", "t").load(location)
row = chunks.where("chunk_index = array(0, 0, 0)").select("shape", "data").first()
values = memoryview(bytes(row["data"])).cast("i")
print("chunk", list(row["shape"]), "sum", sum(values))

# %% The nodes
nodes = spark.read.format("zarr").option("mode", "arrays").load(location)
nodes.select("path", "data_type", "shape").orderBy("path").show(truncate=False)
print("arrays", nodes.where("kind = 'array'").count())
spark.stop()
