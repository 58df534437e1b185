"""Writes frames.json.gz: the data frames that xarray makes of datasets in datasets.zip.

Run with xarray, pandas, zarr and numpy installed: python make_frames.py DATASETS.zip [OUTPUT]

Cells are texts: integers as decimal numbers, other floats as the bits of a double, times and lengths
of time as nanoseconds, bytes in hexadecimal digits, missing values as null.
"""

import gzip
import json
import os
import struct
import sys
import tempfile
import warnings
import zipfile

import numpy as np
import pandas as pd
import xarray as xr

warnings.simplefilter("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))

# the datasets, and what is selected of them
CASES = {
    "boolean-v2": {},
    "chars-v3": {},
    "curvilinear-v3": {},
    "deltas-v3": {},
    "empty-v3": {},
    "era5-sharded-v3": {"time": [23, 25], "latitude": [3, 12]},
    "forecast-v2": {},
    "landsat-v3": {},
    "masked-v3": {},
    "netcdf-stored-v3": {},
    "packed-v2": {},
    "plain-v3": {},
    "text-v2": {},
    "times-v3": {},
    "unsigned-v3": {},
    "valid-range-v3": {},
}


def cell(value):
    if value is None or value is pd.NaT or (isinstance(value, (float, np.floating)) and np.isnan(value)):
        return None
    if isinstance(value, (pd.Timestamp, pd.Timedelta)):
        return str(value.as_unit("ns").value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        wide = float(value)
        if np.isfinite(wide) and wide == int(wide) and abs(wide) < 2**53:
            return str(int(wide))
        return struct.pack(">d", wide).hex()
    if isinstance(value, bytes):
        return "bytes " + value.hex()
    return str(value)


def frame(directory, name, part):
    dataset = xr.open_zarr(os.path.join(directory, name, "data.zarr"), decode_timedelta=True, chunks=None)
    dataset = dataset.isel({d: slice(*ends) for d, ends in part.items()})
    table = dataset.to_dataframe().reset_index()
    columns = {c: [cell(v) for v in table[c].tolist()] for c in table.columns}
    return {
        "part": part,
        "types": {c: str(table[c].dtype) for c in table.columns},
        "columns": columns,
    }


def main(archive, output):
    with tempfile.TemporaryDirectory() as directory:
        zipfile.ZipFile(archive).extractall(directory)
        frames = {name: frame(directory, name, part) for name, part in CASES.items()}
    text = json.dumps(frames, separators=(",", ":")).encode()
    with open(output, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(text)
    print(len(frames), "frames,", len(text), "bytes")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "frames.json.gz"))
