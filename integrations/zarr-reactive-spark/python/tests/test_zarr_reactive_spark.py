"""Tests in a session of Spark that has the jar: PYSPARK_SUBMIT_ARGS names it."""

import tempfile
import unittest

import numpy as np
import zarr_reactive_spark as zrs


class OptionsTest(unittest.TestCase):
    def test_arguments_are_options(self):
        self.assertEqual(
            zrs.options(
                variables=["t", "s"],
                split_bytes=1024,
                group=None,
                consolidated=True,
                store={"region": "eu"},
                packed={"t": "int16,0.01,0"},
                virtual={"s3://a/": {"anonymous": True, "region": "us"}, "s3://b/": None},
            ),
            {
                "variables": "t,s",
                "split-bytes": "1024",
                "consolidated": "true",
                "store.region": "eu",
                "packed.t": "int16,0.01,0",
                "virtual:s3://a/": "anonymous=true;region=us",
                "virtual:s3://b/": "",
            },
        )

    def test_elements_are_numpy(self):
        found = zrs.to_numpy(np.arange(6, dtype="<i2").tobytes(), "int16", [2, 3])
        self.assertEqual(found.tolist(), [[0, 1, 2], [3, 4, 5]])
        with self.assertRaisesRegex(ValueError, "type string"):
            zrs.to_numpy(b"", "string", [0])


class SparkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from pyspark.sql import SparkSession

        cls.spark = SparkSession.builder.getOrCreate()
        cls.directory = tempfile.TemporaryDirectory()
        cls.location = cls.directory.name + "/grid.zarr"
        cells = cls.spark.sql(
            "SELECT t.id AS time, 50 - 2.5D * y.id AS lat, 1.5D * x.id AS lon,"
            " CAST(t.id * 100 + y.id * 10 + x.id AS FLOAT) AS v"
            " FROM range(4) t CROSS JOIN range(3) y CROSS JOIN range(5) x"
        )
        zrs.write_dataset(
            cells,
            cls.location,
            dimensions=["time", "lat", "lon"],
            descending="lat",
            chunk_shape={"v": [2, 2, 5]},
        )

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()
        cls.directory.cleanup()

    def test_a_dataset_is_read(self):
        cells = zrs.read_dataset(self.spark, self.location, variables=["v"])
        self.assertEqual(cells.count(), 60)
        self.assertEqual(cells.where("lat = 45 AND lon = 3 AND time = 2").first()["v"], 222)

    def test_conditions_and_groups_reach_the_scan(self):
        cells = zrs.read_dataset(self.spark, self.location)
        means = cells.where("lat * 2 = 90").groupBy("lon").avg("v")
        plan = means._jdf.queryExecution().toString()
        self.assertIn("PushedAggregates", plan)
        self.assertIn("1:2", plan)
        self.assertEqual(means.count(), 5)

    def test_arrays_are_listed(self):
        arrays = zrs.read_arrays(self.spark, self.location)
        self.assertEqual(arrays.where("path = '/v'").first()["shape"], [4, 3, 5])

    def test_chunks_are_numpy_arrays(self):
        table = zrs.read_chunks(self.spark, self.location, variables="v")
        whole = np.full((4, 3, 5), np.nan, dtype="f4")
        for chunk in zrs.chunks(table.toLocalIterator()):
            self.assertTrue(chunk.is_stored)
            self.assertTrue(chunk.array.endswith("v"))
            whole[chunk.slices()] = chunk.data
        expected = np.fromfunction(lambda t, y, x: t * 100 + y * 10 + x, (4, 3, 5))
        np.testing.assert_array_equal(whole, expected)

    def test_chunks_are_reduced_in_the_tasks(self):
        import pandas as pd

        def sums(chunk):
            times = np.arange(chunk.origin[0], chunk.origin[0] + chunk.data.shape[0])
            return pd.DataFrame(
                {
                    "time": times,
                    "total": chunk.data.sum(axis=(1, 2), dtype="f8"),
                    "cells": chunk.data[0].size,
                }
            )

        table = zrs.read_chunks(self.spark, self.location, variables="v")
        parts = zrs.map_chunks(table, sums, "time LONG, total DOUBLE, cells LONG")
        means = parts.groupBy("time").agg({"total": "sum", "cells": "sum"}).orderBy("time").collect()
        self.assertEqual(
            [(row["time"], row["sum(total)"] / row["sum(cells)"]) for row in means],
            [(time, time * 100 + 12.0) for time in range(4)],
        )

    def test_points_get_their_nearest_cells(self):
        cells = zrs.read_dataset(self.spark, self.location)
        stations = self.spark.createDataFrame(
            [("a", 46.0, 2.9), ("b", 49.0, 0.2), ("far", 0.0, 0.0)], ["name", "latitude", "lon"]
        )
        found = zrs.nearest(cells, stations, {"lat": "latitude", "lon": "lon"}, tolerance=1.5)
        rows = found.where("time = 1").orderBy("name").collect()
        self.assertEqual([(r["name"], r["v"]) for r in rows], [("a", 122.0), ("b", 100.0)])
        self.assertEqual(rows[0]["point_lon"], 2.9)


if __name__ == "__main__":
    unittest.main()
