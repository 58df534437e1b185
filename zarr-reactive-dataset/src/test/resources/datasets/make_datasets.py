"""Writes datasets.zip: datasets that xarray writes, and the values that xarray reads from them.

Run with xarray, cftime, zarr, netCDF4 and numpy installed: python make_datasets.py
The archive has a directory for each dataset with data.zarr and expected.json, and chains.json.
"""

import json
import os
import random
import shutil
import tempfile
import warnings
import zipfile

import cftime
import netCDF4
import numpy as np
import xarray as xr
import zarr

warnings.simplefilter("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))
OUT = tempfile.mkdtemp()
random.seed(17)
rng = np.random.default_rng(17)
NAMES = []


def value(v):
    """Returns a value in the form of expected.json."""
    if isinstance(v, (np.datetime64,)):
        return None if np.isnat(v) else str(v.astype("datetime64[ns]"))
    if isinstance(v, np.timedelta64):
        return None if np.isnat(v) else int(v.astype("timedelta64[ns]").astype("int64"))
    if isinstance(v, cftime.datetime):
        return v.strftime("%Y-%m-%dT%H:%M:%S").strip().rjust(19, "0") + ".%06d" % v.microsecond
    if isinstance(v, (bool, np.bool_)):
        return bool(v)
    if isinstance(v, (bytes, np.bytes_)):
        return v.decode("utf-8")
    if isinstance(v, (str, np.str_)):
        return str(v)
    if isinstance(v, (np.integer, int)):
        return int(v)
    f = float(v)
    return None if np.isnan(f) else ("Infinity" if f == np.inf else "-Infinity" if f == -np.inf else f)


def values(array):
    a = np.asarray(array.values if hasattr(array, "values") else array)
    if a.dtype.kind in "mM":
        return [value(x) for x in a.ravel()]
    return [value(x) for x in a.ravel().tolist()] if a.dtype.kind in "fiubSUT" else [value(x) for x in a.ravel()]


def dtype_of(v):
    if v.dtype.kind == "O" and v.size and isinstance(v.values.ravel()[0], cftime.datetime):
        return "cftime"
    if v.dtype.kind in "OUT":
        return "string"
    return str(v.dtype)


def describe(ds):
    return {
        "sizes": {str(k): int(n) for k, n in ds.sizes.items()},
        "coordinates": sorted(map(str, ds.coords)),
        "data": sorted(map(str, ds.data_vars)),
        "variables": {
            str(name): {
                "dims": list(v.dims),
                "shape": list(v.shape),
                "dtype": dtype_of(v),
                "values": values(v),
            }
            for name, v in ds.variables.items()
        },
    }


def save(name, ds, version, consolidated, change=None, **options):
    directory = os.path.join(OUT, name)
    os.makedirs(directory)
    path = os.path.join(directory, "data.zarr")
    ds.to_zarr(path, mode="w", zarr_format=version, consolidated=False, **options)
    if change:
        change(path)
    if consolidated:
        zarr.consolidate_metadata(path, zarr_format=version)
    with xr.open_zarr(path, consolidated=consolidated, decode_coords="all", decode_timedelta=True) as read:
        expected = describe(read.load())
    with open(os.path.join(directory, "expected.json"), "w") as file:
        json.dump(expected, file)
    NAMES.append(name)


def both(name, make, **options):
    save(name + "-v2", make(), 2, True, **options)
    save(name + "-v3", make(), 3, False, **options)


def variable(dims, data, attrs=None, **encoding):
    v = xr.Variable(dims, data, attrs or {})
    v.encoding = encoding
    return v


# --- numbers ---------------------------------------------------------------------------------------
def plain():
    kinds = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
    ds = xr.Dataset({k: variable("x", np.array([0, 1, 5, 100], k)) for k in kinds})
    ds["nan"] = variable("x", np.array([np.nan, np.inf, -np.inf, -0.0]))
    return ds.assign_coords(x=[10, 20, 30, 40])


def packed():
    t = 250 + 40 * rng.random((3, 4))
    t[0, 1] = np.nan
    make = lambda **e: variable(("y", "x"), t, {"units": "K"}, **e)
    return xr.Dataset({
        "both": make(dtype="i2", scale_factor=0.01, add_offset=273.15, _FillValue=-32768),
        "scale": make(dtype="i4", scale_factor=0.001, _FillValue=-9999),
        "offset": make(dtype="f4", add_offset=200.0),
        "byte": make(dtype="u1", scale_factor=0.5, add_offset=200.0, _FillValue=255),
        "wide": make(dtype="i8", scale_factor=1e-6, _FillValue=-1),
        "whole": variable("n", np.arange(4) * 10.0, dtype="i2", scale_factor=10, add_offset=5),
        "intscale": variable("n", np.arange(4, dtype="i2"), {"scale_factor": 10}),
        "unmasked": variable("n", np.arange(4) * 0.25, dtype="i2", scale_factor=0.25),
    })


def masked():
    make = lambda kind, fill: variable("x", np.array([1, np.nan, 3, 100]), dtype=kind, _FillValue=fill)
    ds = xr.Dataset({k: make(k, f) for k, f in
                     [("i1", -1), ("i2", -99), ("i4", -99), ("i8", -99), ("u1", 255), ("u2", 65535),
                      ("u4", 4294967295), ("f2", -99.0), ("f4", -99.5), ("f8", 1e20)]})
    ds["kept"] = variable("x", np.array([1, 2, 3, 4], "i4"))
    return ds


def missing():
    return xr.Dataset({
        "missing": variable("x", np.array([1.0, np.nan, 3]), dtype="f4", missing_value=-9.0),
        "both": variable("x", np.array([1.0, np.nan, 3]), dtype="i2", missing_value=-9, _FillValue=-9),
    })


def attributes(path, **changes):
    """Changes attributes of arrays in a written store."""
    group = zarr.open_group(path, mode="r+", use_consolidated=False)
    for name, attrs in changes.items():
        group[name].attrs.update(attrs)


def lists(path):
    attributes(path, a={"missing_value": [7, 8]}, b={"_FillValue": -1, "missing_value": 5})


def unsigned(path):
    attributes(path, a={"_Unsigned": "true", "_FillValue": -1}, b={"_Unsigned": "true"},
               c={"_Unsigned": "false"}, d={"_Unsigned": "true", "_FillValue": -1, "scale_factor": 0.5, "add_offset": 1.5})


def unsigned_data():
    raw = np.array([-1, -2, 0, 127], "i1")
    return xr.Dataset({"a": ("x", raw), "b": ("x", raw), "c": ("x", raw.view("u1")), "d": ("x", raw)})


def ints(*names):
    return lambda: xr.Dataset({n: variable("x", np.array([1, 5, 7, 8, -1], "i2")) for n in names})


both("plain", plain)
both("packed", packed)
both("masked", masked)
both("missing", missing)
save("lists-v3", ints("a", "b")(), 3, True, change=lists)
save("unsigned-v3", unsigned_data(), 3, False, change=unsigned)
save("boolean-v2", xr.Dataset({"b": ("x", [True, False, True])}), 2, False)
save("boolean-v3", xr.Dataset({"b": ("x", [True, False, True])}), 3, True)

# --- text ------------------------------------------------------------------------------------------
WORDS = np.array(["a", "städte", "", "日本"], dtype=object)


def text():
    return xr.Dataset({"v": ("x", WORDS), "u": ("x", WORDS.astype("U6"))}, {"x": ["p", "q", "r", "s"]})


def chars():
    return xr.Dataset({
        "c": variable("x", np.array([b"one", b"three", b""], "S5"), dtype="S1"),
        "t": variable("x", np.array(["one", "grün", ""], dtype=object), dtype="S1", _Encoding="utf-8"),
        "joined": (("x", "length"), np.array([[b"a", b"b", b"c"], [b"d", b"", b""], [b"\xc3", b"\xbc", b""]], "S1")),
        "plain": (("x", "length"), np.array([[b"x", b"y", b"z"], [b"x", b"", b""], [b"", b"", b""]], "S1")),
    })


save("text-v2", text(), 2, True)
save("text-v3", text(), 3, False)
def characters(path):
    attributes(path, joined={"_Encoding": "utf-8"})


save("chars-v2", chars(), 2, False, change=characters)
save("chars-v3", chars(), 3, False, change=characters)

# --- flags, scalars, empty ------------------------------------------------------------------------
def flags():
    return xr.Dataset({
        "quality": variable("x", np.array([0, 1, 2, 3, 9], "i1"),
                            {"flag_values": np.array([0, 1, 2, 3], "i1"), "flag_meanings": "good fair poor missing"}),
        "bits": variable("x", np.array([0, 1, 2, 3, 4], "u1"),
                         {"flag_masks": np.array([1, 2, 4], "u1"), "flag_meanings": "cloud shadow snow"}),
    })


def scalars():
    return xr.Dataset({"a": variable((), np.array(5, "i4")), "b": variable((), 0.5, dtype="i2", scale_factor=0.25),
                       "t": variable((), np.datetime64("2001-02-03T04:05:06", "ns"))}, {"height": 2.0})


both("flags", flags)
both("scalars", scalars)
save("empty-v3", xr.Dataset({"a": ("t", np.zeros(0, "f4"))}, {"t": np.zeros(0)}), 3, False)

# --- times -----------------------------------------------------------------------------------------
for calendar in ["standard", "gregorian", "proleptic_gregorian", "julian", "noleap", "365_day",
                 "all_leap", "366_day", "360_day"]:
    version = 2 if calendar in ("standard", "noleap", "all_leap") else 3
    numbers = np.array([0, 58, 59, 60, 365, 366, 36524, 146097, -1, -800], "i8")

    def dates(path, calendar=calendar):
        attributes(path, days={"units": "days since 2000-01-01", "calendar": calendar},
                   hours={"units": "hours since 1999-12-30 18:30:00", "calendar": calendar},
                   halves={"units": "days since 1850-1-1", "calendar": calendar},
                   seconds={"units": "seconds since 1970-02-28T23:59:59", "calendar": calendar})

    save("calendar-" + calendar, xr.Dataset({
        "days": ("n", numbers), "hours": ("n", numbers * 24), "halves": ("n", numbers[:6].repeat(2)[:10] + 0.5),
        "seconds": ("n", numbers * 43200)}), version, version == 2, change=dates)


def old(path):
    attributes(path, days={"units": "days since 0001-01-01 00:00:00", "calendar": "standard"},
               border={"units": "days since 1582-10-04", "calendar": "gregorian"},
               proleptic={"units": "days since 1582-10-04", "calendar": "proleptic_gregorian"},
               late={"units": "days since 0001-01-01", "calendar": "standard"},
               far={"units": "days since 2000-01-01"})


save("old-times", xr.Dataset({
    "days": ("n", np.array([0, 365, 577736, 577737], "f8")), "border": ("n", np.array([-1, 0, 1, 2])),
    "proleptic": ("n", np.array([-1, 0, 1, 2])), "late": ("n", np.array([730000, 730001, 730002, 730003])),
    "far": ("n", np.array([200000, -100000, 0, 1]))}), 3, False, change=old)


def units(path):
    attributes(path, minutes={"units": "minutes since 2000-01-01 00:00"}, milliseconds={"units": "milliseconds since 2000-01-01"},
               microseconds={"units": "microseconds since 2000-01-01"}, nanoseconds={"units": "nanoseconds since 2000-01-01"},
               zone={"units": "hours since 2000-01-01 00:00:00 +02:00"}, zulu={"units": "hours since 2000-01-01T00:00:00Z"},
               fraction={"units": "seconds since 2000-01-01 00:00:00.25"}, short={"units": "days since 1-1-1", "calendar": "proleptic_gregorian"},
               floats={"units": "hours since 1900-01-01"}, thirds={"units": "days since 2000-01-01"},
               missing={"units": "days since 2000-01-01", "_FillValue": -1},
               nan={"units": "days since 2000-01-01"}, accumulated={"units": "days accumulated"})


save("time-units", xr.Dataset({
    **{n: ("n", np.array([0, 1, 1001, 123456789])) for n in ["minutes", "milliseconds", "microseconds", "nanoseconds"]},
    "zone": ("n", np.arange(4)), "zulu": ("n", np.arange(4)), "fraction": ("n", np.arange(4)), "short": ("n", np.arange(730000, 730004)),
    "floats": ("n", np.array([0.5, 876543.25, 1e5, 3.0])), "thirds": ("n", np.array([1 / 3, 0.1, 2 / 3, 1.7])),
    "missing": ("n", np.array([0, -1, 5, 6], "i4")), "nan": ("n", np.array([0.5, np.nan, 1, 2])),
    "accumulated": ("n", np.arange(4))}), 3, False, change=units)


def times():
    return xr.Dataset({
        "nat": variable("time", np.array(["2000-01-01", "NaT", "2000-01-03"], "M8[ns]")),
        "delta": variable("time", np.array([1, 2, 3], "m8[D]").astype("m8[ns]")),
        "lag": variable("time", np.array([1500, 0, -1], "m8[ms]").astype("m8[ns]")),
    }, {"time": np.array(["2000-01-01T06", "2000-01-02T06", "2000-01-03T06"], "M8[ns]")})


def deltas(path):
    attributes(path, days={"units": "days"}, half={"units": "hours"}, gap={"units": "seconds", "_FillValue": -1})


both("times", times)
save("deltas-v3", xr.Dataset({"days": ("n", np.array([0, 1, -1], "i4")), "half": ("n", np.array([0.5, 1.25, np.nan])),
                              "gap": ("n", np.array([5, -1, 7], "i8"))}), 3, False, change=deltas)


def packed_time(path):
    attributes(path, t={"units": "hours since 2000-01-01", "scale_factor": 0.5, "add_offset": 1.0, "_FillValue": -1})


save("packed-time-v3", xr.Dataset({"t": ("n", np.array([0, 1, -1, 7], "i2"))}), 3, False, change=packed_time)

# --- like in the world ------------------------------------------------------------------------------
def cmip(calendar="noleap", chunks=None):
    time = xr.date_range("2000-01-01", periods=24, freq="MS", calendar=calendar, use_cftime=True)
    lat, lon = np.linspace(-75, 75, 6), np.linspace(0, 315, 8)
    edges = list(time) + [time[-1].replace(year=2002, month=1)]
    ds = xr.Dataset({
        "tas": variable(("time", "lat", "lon"), (280 + 20 * rng.random((24, 6, 8))).astype("f4"),
                        {"units": "K", "cell_methods": "area: time: mean", "cell_measures": "area: areacella"},
                        _FillValue=np.float32(1e20), missing_value=np.float32(1e20), coordinates="height"),
        "areacella": variable(("lat", "lon"), rng.random((6, 8)).astype("f4"), {"units": "m2"}),
        "time_bnds": variable(("time", "bnds"), np.array([edges[:-1], edges[1:]]).T),
        "lat_bnds": (("lat", "bnds"), np.stack([lat - 15, lat + 15], 1)),
    }, {"time": ("time", time, {"bounds": "time_bnds", "axis": "T", "standard_name": "time"}),
        "lat": ("lat", lat, {"units": "degrees_north", "bounds": "lat_bnds", "axis": "Y"}),
        "lon": ("lon", lon, {"units": "degrees_east", "axis": "X"}), "height": ((), 2.0, {"units": "m"})},
        {"Conventions": "CF-1.7", "title": "like CMIP6"})
    ds["tas"][0, 0, 0] = np.nan
    ds.time.encoding = {"units": "days since 1850-01-01", "calendar": calendar, "dtype": "f8"}
    return ds


def era5():
    time = np.datetime64("2020-02-28T00", "ns") + np.arange(60) * np.timedelta64(1, "h")
    lat, lon = np.linspace(60, 50, 21), np.linspace(0, 7.5, 16)
    t = 280 + 10 * rng.random((60, 21, 16))
    t[3, 2, 1] = np.nan
    ds = xr.Dataset({
        "t2m": variable(("time", "latitude", "longitude"), t, {"units": "K", "long_name": "2 metre temperature"},
                        dtype="i2", scale_factor=0.0012, add_offset=285.0, _FillValue=-32767, missing_value=-32767,
                        chunks=(24, 21, 16)),
        "tp": variable(("time", "latitude", "longitude"), rng.random((60, 21, 16)).astype("f4"), {"units": "m"}, chunks=(30, 10, 16)),
    }, {"time": ("time", time, {"long_name": "time"}), "latitude": ("latitude", lat.astype("f4"), {"units": "degrees_north"}),
        "longitude": ("longitude", lon.astype("f4"), {"units": "degrees_east"})}, {"Conventions": "CF-1.6"})
    ds.time.encoding = {"units": "hours since 1900-01-01", "dtype": "i4", "calendar": "gregorian"}
    return ds


def landsat():
    y, x = 5e6 - 30.0 * np.arange(12), 4e5 + 30.0 * np.arange(10)
    reflectance = 0.5 * rng.random((3, 12, 10))
    reflectance[:, :2, :2] = np.nan
    ds = xr.Dataset({
        "reflectance": variable(("band", "y", "x"), reflectance, {"grid_mapping": "spatial_ref"}, dtype="u2",
                                scale_factor=2.75e-05, add_offset=-0.2, _FillValue=0),
        "qa_pixel": variable(("y", "x"), rng.integers(0, 64, (12, 10)).astype("u2"),
                             {"flag_masks": np.array([1, 2, 4, 8], "u2"), "flag_meanings": "fill dilated cirrus cloud", "grid_mapping": "spatial_ref"}),
    }, {"band": ["red", "green", "blue"], "y": ("y", y, {"axis": "Y", "standard_name": "projection_y_coordinate", "units": "m"}),
        "x": ("x", x, {"axis": "X", "standard_name": "projection_x_coordinate", "units": "m"}),
        "spatial_ref": ((), 0, {"crs_wkt": "PROJCS[...]", "GeoTransform": "400000 30 0 5000000 0 -30"})})
    return ds


def curvilinear():
    lat, lon = np.meshgrid(np.linspace(40, 50, 4), np.linspace(0, 10, 5), indexing="ij")
    return xr.Dataset({"sst": variable(("j", "i"), (10 * rng.random((4, 5))).astype("f4"), {"units": "degC"})},
                      {"lat": (("j", "i"), lat), "lon": (("j", "i"), lon), "station": ("i", ["a", "b", "c", "d", "e"])})


def forecast():
    return xr.Dataset({"wind": (("init", "lead", "level"), rng.random((3, 4, 5)).astype("f4"))},
                      {"init": np.array(["2021-01-01", "2021-01-02", "2021-01-03"], "M8[ns]"),
                       "lead": np.array([0, 6, 12, 24], "m8[h]").astype("m8[ns]"), "level": [1000, 850, 700, 500, 250]})


def sharded():
    ds = era5()
    for v in ["t2m", "tp"]:
        ds[v].encoding.update(chunks=(10, 7, 8), shards=(30, 21, 16))
    return ds


both("cmip", cmip)
save("cmip-360_day-v3", cmip("360_day"), 3, True)
save("cmip-standard-v3", cmip("standard"), 3, False)
both("era5", era5)
save("era5-sharded-v3", sharded(), 3, True)
both("landsat", landsat)
both("curvilinear", curvilinear)
both("forecast", forecast)
save("valid-range-v3", xr.Dataset({
    "v": ("x", np.array([1.0, 5, 11]), {"valid_min": 2.0, "valid_max": 10.0}),
    "r": ("x", np.array([1, 5, 11], "i2"), {"valid_range": np.array([2, 10], "i2")})}), 3, False)

# --- a tree of groups ----------------------------------------------------------------------------------
for version in (2, 3):
    name = "tree-v%d" % version
    tree = xr.DataTree.from_dict({
        "/": xr.Dataset({"a": ("x", [1.5, 2.5])}, {"x": [0, 1]}),
        "/fine": xr.Dataset({"b": ("y", [1, 2, 3])}, {"y": [0.0, 0.5, 1.0]}),
        "/fine/deep": xr.Dataset({"c": ((), 7)})})
    os.makedirs(os.path.join(OUT, name))
    path = os.path.join(OUT, name, "data.zarr")
    tree.to_zarr(path, zarr_format=version, consolidated=version == 2)
    with open(os.path.join(OUT, name, "expected.json"), "w") as file:
        json.dump(describe(xr.open_zarr(path, consolidated=version == 2).load()), file)
    NAMES.append(name)

# --- chains of selections ---------------------------------------------------------------------------------
CHAINED = {"era5-v3": ("t2m", "tp"), "cmip-v3": ("tas",), "landsat-v2": ("reflectance",), "forecast-v2": ("wind",),
           "era5-sharded-v3": ("t2m",), "cmip-standard-v3": ("tas",), "curvilinear-v3": ("sst",)}
METHODS = {"pad": "pad", "backfill": "backfill", "nearest": "nearest"}


def label(v, cut=False):
    """Returns a label as text or number, and what xarray is given."""
    if isinstance(v, np.datetime64):
        text = str(v.astype("datetime64[s]"))
        text = random.choice([text[:7], text[:10], text[:13], text]) if cut else text
        return text, text
    if isinstance(v, cftime.datetime):
        text = v.strftime("%Y-%m-%dT%H:%M:%S")
        return (random.choice([text[:4], text[:7], text[:10]]),) * 2 if cut else (text, v)
    if isinstance(v, np.timedelta64):
        hours = int(v / np.timedelta64(1, "h"))
        return "PT%dH" % hours, np.timedelta64(hours, "h").astype("m8[ns]")
    if isinstance(v, (str, np.str_)):
        return str(v), str(v)
    return (float(v),) * 2 if isinstance(v, np.floating) else (int(v),) * 2


def scalar(index, i):
    return index.values[i]


def step(ds, dim):
    """Returns an operation and its result."""
    n = ds.sizes[dim]
    index = ds[dim] if dim in ds.indexes else None
    kinds = ["index", "slice", "list"] + (["label", "label", "range", "range", "near", "labels"] if index is not None else [])
    kind = random.choice(kinds)
    if kind == "index":
        i = random.randrange(-n, n)
        return {"op": "isel", "dim": dim, "index": str(i)}, ds.isel({dim: i})
    if kind == "slice":
        a, b, s = random.randrange(n), random.randrange(n + 1), random.choice([1, 1, 2, 3])
        return {"op": "isel", "dim": dim, "index": "%d:%d:%d" % (a, b, s)}, ds.isel({dim: slice(a, b, s)})
    if kind == "list":
        picked = [random.randrange(n) for _ in range(random.randrange(1, 4))]
        return {"op": "isel", "dim": dim, "index": str(picked).replace(" ", "")}, ds.isel({dim: picked})
    first = scalar(index, random.randrange(n))
    if kind == "label":
        text, given = label(first)
        return {"op": "sel", "dim": dim, "label": text}, ds.sel({dim: given})
    if kind == "labels":
        pairs = [label(scalar(index, random.randrange(n))) for _ in range(random.randrange(1, 4))]
        given = [p[1] for p in pairs]
        if isinstance(first, np.datetime64):
            given = np.array(given, "M8[ns]")
        return {"op": "sel", "dim": dim, "labels": [p[0] for p in pairs]}, ds.sel({dim: given})
    if kind == "range":
        other = scalar(index, random.randrange(n))
        a, b = label(first, True), label(other, True)
        if isinstance(first, np.timedelta64) or not isinstance(first, (str, np.str_, np.datetime64, cftime.datetime)):
            if isinstance(first, np.floating) and random.random() < 0.5:
                a = (a[0] + 0.1,) * 2
        return {"op": "sel", "dim": dim, "from": a[0], "to": b[0]}, ds.sel({dim: slice(a[1], b[1])})
    method = random.choice(list(METHODS))
    if isinstance(first, (np.floating, np.integer)) and not isinstance(first, np.timedelta64):
        distance = random.choice([0.1, 0.3, 5.0, -0.1, -0.3, 100.0])
        at = float(first) + distance
        tolerance = random.choice([None, 0.2, 1.0])
        return ({"op": "sel", "dim": dim, "label": at, "method": method, "tolerance": tolerance},
                ds.sel({dim: at}, method=method, **({} if tolerance is None else {"tolerance": tolerance})))
    if isinstance(first, np.datetime64):
        at = first + np.timedelta64(random.choice([-10, 10, 25, 70]), "m")
        tolerance = random.choice([None, "PT20M"])
        return ({"op": "sel", "dim": dim, "label": str(at.astype("M8[s]")), "method": method, "tolerance": tolerance},
                ds.sel({dim: at}, method=method, **({} if tolerance is None else {"tolerance": np.timedelta64(20, "m").astype("m8[ns]")})))
    text, given = label(first)
    return {"op": "sel", "dim": dim, "label": text}, ds.sel({dim: given})


chains = []
opened = {n: xr.open_zarr(os.path.join(OUT, n, "data.zarr"), decode_coords="all", decode_timedelta=True).load() for n in CHAINED}
while len(chains) < 220:
    name = random.choice(list(CHAINED))
    ds, ops = opened[name], []
    variable_name = random.choice(CHAINED[name])
    for _ in range(random.randrange(1, 5)):
        dims = [d for d in ds[variable_name].dims if ds.sizes[d] > 0]
        if not dims:
            break
        dim = random.choice(dims)
        try:
            op, ds = step(ds, dim)
        except Exception:  # pandas refuses, for example duplicates
            break
        ops.append(op)
    if not ops or ds[variable_name].size > 1500:
        continue
    v = ds[variable_name]
    chains.append({"dataset": name, "variable": variable_name, "ops": ops, "dims": list(v.dims), "shape": list(v.shape), "values": values(v)})
with open(os.path.join(OUT, "chains.json"), "w") as file:
    json.dump(chains, file)

# --- files of netCDF4 ------------------------------------------------------------------------------
def ocean(path):
    """Writes a file as a model does: packed, masked, an unlimited time, characters, a bound."""
    with netCDF4.Dataset(path, "w", format="NETCDF4") as f:
        f.title = "a file of netCDF4"
        for name, size in [("time", None), ("lat", 4), ("lon", 5), ("station", 3), ("length", 6), ("nv", 2)]:
            f.createDimension(name, size)
        time = f.createVariable("time", "f8", ("time",))
        time.units, time.calendar, time.bounds = "days since 1999-12-30 12:00:00", "gregorian", "time_bnds"
        time[:] = [0, 1.5, 60.25]
        f.createVariable("time_bnds", "f8", ("time", "nv"))[:] = [[-0.5, 0.5], [1, 2], [60, 60.5]]
        lat = f.createVariable("lat", "f4", ("lat",))
        lat.units, lat.standard_name, lat.axis = "degrees_north", "latitude", "Y"
        lat[:] = [60, 50, 40, 30]
        f.createVariable("lon", "f8", ("lon",))[:] = [-20, -10, 0, 10, 20]
        sst = f.createVariable("sst", "i2", ("time", "lat", "lon"), fill_value=-32767, zlib=True)
        sst.scale_factor, sst.add_offset, sst.units, sst.missing_value = 0.01, 10.0, "degC", np.int16(-32767)
        sst.set_auto_maskandscale(False)
        sst[:] = np.where(np.arange(60) % 11 == 3, -32767, np.arange(60) * 25 - 700).reshape(3, 4, 5)
        ice = f.createVariable("ice", "i1", ("lat", "lon"), fill_value=np.int8(-1))
        ice._Unsigned = "true"
        ice.set_auto_maskandscale(False)
        ice[:] = (np.arange(20) * 13).astype("u1").view("i1").reshape(4, 5)
        flux = f.createVariable("flux", "f4", ("time", "lat"), fill_value=np.float32(1e20))
        flux[:] = np.ma.masked_greater(np.arange(12, dtype="f4").reshape(3, 4), 9)
        name = f.createVariable("name", "S1", ("station", "length"))
        name._Encoding = "utf-8"
        name[:] = np.array(["Wien", "K\u00f6ln", "Brest"])
        mask = f.createVariable("mask", "i1", ("lat", "lon"))
        mask.flag_values, mask.flag_meanings = np.array([0, 1, 2], "i1"), "sea land ice"
        mask[:] = np.arange(20).reshape(4, 5) % 3
        f.createVariable("crs", "i4", ()).grid_mapping_name = "latitude_longitude"


nc = os.path.join(tempfile.mkdtemp(), "ocean.nc")
ocean(nc)
for version in (2, 3):
    with xr.open_dataset(nc, engine="netcdf4", decode_coords="all") as file:
        save(f"netcdf-v{version}", file.load(), version, version == 2)
with xr.open_dataset(nc, engine="netcdf4", decode_cf=False) as file:  # as it is stored
    stored = file.load().drop_vars("name")
    save("netcdf-stored-v3", stored, 3, True)

target = os.path.join(HERE, "datasets.zip")
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for directory, _, files in sorted(os.walk(OUT)):
        for file in sorted(files):
            path = os.path.join(directory, file)
            info = zipfile.ZipInfo(os.path.relpath(path, OUT), (2026, 1, 1, 0, 0, 0))
            with open(path, "rb") as source:
                archive.writestr(info, source.read(), zipfile.ZIP_DEFLATED, 9)
shutil.rmtree(OUT)
print(len(NAMES), "datasets,", len(chains), "chains,", os.path.getsize(target), "bytes")
