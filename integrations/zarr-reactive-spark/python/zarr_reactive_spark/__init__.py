"""Arrays and datasets of Zarr in PySpark.

The functions give the options of the format ``zarr`` as arguments. Arguments are named as the
options are, with ``_`` in place of ``-``: ``split_bytes=1 << 26`` is ``split-bytes``. A list
becomes a text with commas. A dictionary gives an option to each of its names:
``packed={"t2m": "int16,0.01,0"}`` is ``packed.t2m``, and ``store={"region": "eu-central-1"}`` is
``store.region``. An option that the format does not know is refused by it, with those it knows.
"""

import sys
from dataclasses import dataclass

import numpy as np

__version__ = "0.1.0.dev0"

__all__ = [
    "EXTENSIONS",
    "PACKAGE",
    "Chunk",
    "chunks",
    "map_chunks",
    "nearest",
    "options",
    "read_arrays",
    "read_chunks",
    "read_dataset",
    "to_numpy",
    "write_dataset",
]

#: The coordinates of the jar, for ``--packages`` and ``spark.jars.packages``.
PACKAGE = "dev.zarrreactive:zarr-reactive-spark:0.1.0-SNAPSHOT"

#: The value of ``spark.sql.extensions``, with which joins on floats leave out chunks in PySpark.
EXTENSIONS = "dev.zarrreactive.spark.ZarrExtensions"

_NUMBERS = {
    "bool": "?",
    "int8": "i1",
    "int16": "<i2",
    "int32": "<i4",
    "int64": "<i8",
    "uint8": "u1",
    "uint16": "<u2",
    "uint32": "<u4",
    "uint64": "<u8",
    "float16": "<f2",
    "float32": "<f4",
    "float64": "<f8",
    "complex64": "<c8",
    "complex128": "<c16",
}


def _text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_text(each) for each in value)
    return str(value)


def options(**arguments):
    """Returns options of the format, as texts by their names; ``None`` gives no option."""
    found = {}
    for argument, value in arguments.items():
        name = argument.replace("_", "-")
        if value is None:
            continue
        if name == "virtual":
            for prefix, of_store in value.items():
                parts = (of_store or {}).items()
                found["virtual:" + prefix] = ";".join(f"{k}={_text(v)}" for k, v in parts)
        elif isinstance(value, dict):
            for key, each in value.items():
                found[f"{name}.{key}"] = _text(each)
        else:
            found[name] = _text(value)
    return found


def _load(spark, location, mode, arguments):
    return spark.read.format("zarr").options(**options(mode=mode, **arguments)).load(location)


def read_dataset(spark, location, **arguments):
    """Returns a table with a row for each cell of a dataset, or of one array."""
    return _load(spark, location, "cells", arguments)


def read_chunks(spark, location, **arguments):
    """Returns a table with a row for each chunk, whose stored elements are bytes."""
    return _load(spark, location, "chunks", arguments)


def read_arrays(spark, location, **arguments):
    """Returns a table with a row for each array and group of a hierarchy."""
    return _load(spark, location, "arrays", arguments)


def write_dataset(table, location, mode="errorifexists", **arguments):
    """Writes a table of cells; ``mode`` is Spark's, such as ``append`` or ``overwrite``."""
    table.write.format("zarr").mode(mode).options(**options(**arguments)).save(location)


@dataclass(frozen=True)
class Chunk:
    """A chunk, or a shard, with its stored elements.

    ``data`` is a NumPy array of the chunk's shape, cut at the end of the array, that must not be
    changed. Numbers are those that are stored: scale and offset are not applied.
    """

    array: str
    index: tuple
    origin: tuple
    is_stored: bool
    data: np.ndarray

    def slices(self):
        """Returns the place of the chunk in its array, one slice for each dimension."""
        return tuple(slice(o, o + n) for o, n in zip(self.origin, self.data.shape))


def to_numpy(data, data_type, shape):
    """Returns stored elements as a NumPy array, which shares the memory of the bytes."""
    if data_type not in _NUMBERS:
        raise ValueError(
            f"elements of the type {data_type} have no NumPy type here; there are "
            + ", ".join(_NUMBERS)
        )
    return np.frombuffer(data, dtype=_NUMBERS[data_type]).reshape(tuple(int(n) for n in shape))


def chunks(rows):
    """Yields a ``Chunk`` for each row of a table of chunks.

    ``rows`` is a frame of pandas, as ``mapInPandas`` gives it, or rows of PySpark, as ``collect``
    and ``toLocalIterator`` give them.
    """
    if hasattr(rows, "itertuples"):
        rows = rows.itertuples(index=False)
    for row in rows:
        yield Chunk(
            row.array,
            tuple(int(i) for i in row.chunk_index),
            tuple(int(i) for i in row.origin),
            bool(row.stored),
            to_numpy(row.data, row.data_type, row.shape),
        )


def map_chunks(table, function, schema):
    """Returns a table of what a function makes of each chunk, in the tasks.

    ``function`` takes a ``Chunk`` and returns a frame of pandas with the columns of ``schema``, or
    ``None`` for no rows. The tasks need NumPy, pandas and pyarrow, and this module only where it
    was imported from a place that they have, too: it is sent to them.
    """
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])

    def of_frames(frames):
        for frame in frames:
            for chunk in chunks(frame):
                made = function(chunk)
                if made is not None:
                    yield made

    return table.mapInPandas(of_frames, schema)


def nearest(cells, points, on, tolerance=float("inf")):
    """Returns the rows of a table of cells at points, such as stations.

    ``on`` has the column of the points for each dimension, such as ``{"lat": "latitude"}``. A point
    gets the cells with the nearest labels, if they are within ``tolerance``. Requests are those of
    the chunks with such a cell. Columns of the points whose names the cells have, too, begin with
    ``point_``.
    """
    if not hasattr(cells, "_jdf"):
        raise TypeError("points are joined in a session with a JVM of its own, not by Spark Connect")
    from pyspark.sql import DataFrame

    spark = cells.sparkSession
    joined = spark._jvm.dev.zarrreactive.spark.ZarrPoints.nearest(
        cells._jdf, points._jdf, dict(on), float(tolerance)
    )
    return DataFrame(joined, spark)
