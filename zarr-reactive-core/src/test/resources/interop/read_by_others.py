"""Reads what zarr-reactive wrote, with every Zarr implementation that is installed here.

Usage: python read_by_others.py MANIFEST

MANIFEST is a JSON document: {"arrays": [{"name": ..., "path": ...}], "groups": [the same]};
groups may have "consolidated": true, and "format": 2.
Prints one JSON object per line:
  {"reader": ..., "version": ...}                          for each implementation, first
  {"name": ..., "reader": ..., "sha256": ...}              an array: of its elements, C order,
                                                           little-endian, packed
  {"name": ..., "reader": ..., "nodes": {path: {...}}}     a group: all nodes below, and itself
  {"name": ..., "reader": ..., "error": ...}               what it could not read
"""
import ctypes
import hashlib
import importlib
import json
import os
import sys
import warnings

os.environ.setdefault("ZARR_ARRAY__RECTILINEAR_CHUNKS", "True")


def tensorstore_array(case):
    import tensorstore as ts
    path = case["path"]
    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": path.rstrip("/") + "/"}}
    return ts.open(spec, open=True, read=True).result().read().result()


def zarr_array(case):
    import zarr
    return zarr.open_array(case["path"], mode="r", zarr_format=3)[...]


def zarr_group(case):
    import zarr
    root = zarr.open_group(case["path"], mode="r", zarr_format=case.get("format", 3),
                           use_consolidated=case.get("consolidated", False))
    nodes = {"": {"type": "group", "attributes": dict(root.attrs)}}
    for name, node in root.members(max_depth=None):
        kind = "array" if isinstance(node, zarr.Array) else "group"
        nodes[name] = {"type": kind, "attributes": dict(node.attrs)}
        if kind == "array":
            nodes[name]["sha256"] = digest(node[...])
            nodes[name]["dimension_names"] = getattr(node.metadata, "dimension_names", None)
    return nodes


ARRAYS = {"tensorstore": tensorstore_array, "zarr": zarr_array}
GROUPS = {"zarr": zarr_group}


def digest(elements):
    return hashlib.sha256(packed(elements)).hexdigest()


def packed(elements):
    import numpy as np
    a = np.asarray(elements)
    if a.dtype.itemsize == 0 and a.size:  # raw bits that NumPy has no type for
        span = sum((n - 1) * s for n, s in zip(a.shape, a.strides)) + 1
        memory = (ctypes.c_ubyte * span).from_address(a.__array_interface__["data"][0])
        a = np.ndarray(a.shape, "u1", memory, strides=a.strides).copy()
    a = np.ascontiguousarray(a).reshape(a.shape)
    big = a.dtype.byteorder == ">" or (a.dtype.byteorder == "=" and sys.byteorder == "big")
    return (a.byteswap() if big else a).tobytes()


def say(**line):
    print(json.dumps(line), flush=True)


def read(kind, case, reader, read_it):
    try:
        result = read_it(case)
        say(name=case["name"], reader=reader, **{kind: result})
    except Exception as error:  # every kind of failure is a result here
        say(name=case["name"], reader=reader, error=f"{type(error).__name__}: {error}"[:300])


def main(manifest):
    warnings.simplefilter("ignore")
    with open(manifest, encoding="utf-8") as file:
        cases = json.load(file)
    for reader in ("tensorstore", "zarr"):
        try:
            importlib.import_module(reader)
        except ImportError:
            continue
        from importlib.metadata import version
        if reader == "zarr" and int(version("zarr").split(".")[0]) < 3:
            continue
        say(reader=reader, version=version(reader))
        for case in cases["arrays"]:
            read("sha256", case, reader, lambda case: digest(ARRAYS[reader](case)))
        for case in cases["groups"] if reader in GROUPS else ():
            read("nodes", case, reader, GROUPS[reader])


if __name__ == "__main__":
    main(sys.argv[1])
