"""Reads what zarr-reactive wrote, with every Zarr implementation that is installed here.

Usage: python read_by_others.py MANIFEST

MANIFEST is a JSON document: {"arrays": [{"name": ..., "path": ..., "format": 2 or 3}],
"groups": [the same; "consolidated": true where only consolidated metadata may be used]}. Prints one JSON object per line:
  {"reader": ..., "version": ...}                          for each implementation, first
  {"name": ..., "reader": ..., "sha256": ...}              an array: of its elements, C order,
                                                           little-endian, packed; of elements of
                                                           any length: see listed()
  {"name": ..., "reader": ..., "nodes": {path: {...}}}     a group: all nodes below, and itself
  {"name": ..., "reader": ..., "error": ...}               what it could not read

The reader "numcodecs" is the chunks of Zarr v2, decoded with numcodecs itself; "zarrista" is zarrs.
"""
import base64
import ctypes
import hashlib
import importlib
import itertools
import json
import os
import sys
import warnings

os.environ.setdefault("ZARR_ARRAY__RECTILINEAR_CHUNKS", "True")


def tensorstore_array(path, zarr_format):
    import numpy as np
    import tensorstore as ts

    def elements(**field):
        spec = {"driver": {2: "zarr", 3: "zarr3"}[zarr_format],
                "kvstore": {"driver": "file", "path": path.rstrip("/") + "/"}, **field}
        return ts.open(spec, open=True, read=True).result().read().result()

    names = field_names(path, zarr_format)
    if not names:
        return elements()
    columns = {name: elements(field=name) for name in names}  # it reads one field at a time
    shape = min((column.shape for column in columns.values()), key=len)
    items = np.empty(shape, [(n, c.dtype, c.shape[len(shape):]) for n, c in columns.items()])
    for name, column in columns.items():
        items[name] = column
    return items


def field_names(path, zarr_format):
    with open(os.path.join(path, {2: ".zarray", 3: "zarr.json"}[zarr_format]), "rb") as file:
        document = json.load(file)
    if zarr_format == 2:
        return [field[0] for field in document["dtype"] if isinstance(field, list)]
    data_type = document["data_type"]
    fields = data_type["configuration"].get("fields", []) if isinstance(data_type, dict) else []
    return [field["name"] for field in fields]


def zarr_array(path, zarr_format):
    import zarr
    return zarr.open_array(path, mode="r", zarr_format=zarr_format)[...]


def zarrista_array(path, zarr_format):
    import zarrista
    from zarrista.store import FilesystemStore
    return zarrista.Array.open(FilesystemStore(path))[...].to_numpy()


def numcodecs_array(path, zarr_format):
    import numpy as np
    with open(os.path.join(path, ".zarray"), encoding="utf-8") as file:
        document = json.load(file)
    shape, chunks, order = document["shape"], document["chunks"], document["order"]
    dtype = np.dtype(numpy_name(document["dtype"]))
    elements = np.full(shape, fill_value(document["fill_value"], dtype), dtype)
    codecs = [codec for codec in [*(document["filters"] or []), document["compressor"]] if codec]
    for index in itertools.product(*(range(-(-n // c)) for n, c in zip(shape, chunks))):
        name = document["dimension_separator"].join(map(str, index)) or "0"
        if os.path.exists(os.path.join(path, name)):
            chunk = decoded(os.path.join(path, name), codecs, dtype).reshape(chunks, order=order)
            starts = [i * c for i, c in zip(index, chunks)]
            ends = [min(start + c, n) for start, c, n in zip(starts, chunks, shape)]
            whole = tuple(slice(start, end) for start, end in zip(starts, ends))
            part = tuple(slice(0, end - start) for start, end in zip(starts, ends))
            elements[whole] = chunk[part]
    return elements


def decoded(file, codecs, dtype):
    import numcodecs
    import numpy as np
    with open(file, "rb") as stored:
        data = stored.read()
    for codec in reversed(codecs):
        data = numcodecs.get_codec(dict(codec)).decode(data)
    if dtype == object:
        return np.asarray(data, dtype)
    return np.frombuffer(numcodecs.compat.ensure_bytes(data), dtype)


def numpy_name(dtype):
    if isinstance(dtype, str):
        return dtype
    return [(field[0], numpy_name(field[1]), *map(tuple, field[2:])) for field in dtype]


def fill_value(value, dtype):
    import numpy as np
    if dtype == object:
        return value
    if value is None:
        return np.zeros((), dtype)
    if dtype.kind in "SV":
        return np.frombuffer(base64.b64decode(value).ljust(dtype.itemsize, b"\0"), dtype)[0]
    if dtype.kind == "c":
        return np.array([float(part) for part in value]).view(complex).astype(dtype)[0]
    if dtype.kind in "mM" and value != "NaT":
        return np.array(value, "i8").astype(dtype)
    return np.array(float(value) if dtype.kind == "f" else value).astype(dtype)


def zarr_group(path, zarr_format, consolidated):
    import zarr
    root = zarr.open_group(
        path, mode="r", zarr_format=zarr_format, use_consolidated=consolidated)
    nodes = {"": {"type": "group", "attributes": dict(root.attrs)}}
    for name, node in root.members(max_depth=None):
        kind = "array" if isinstance(node, zarr.Array) else "group"
        nodes[name] = {"type": kind, "attributes": dict(node.attrs)}
        if kind == "array":
            nodes[name]["sha256"] = digest(node[...])
            nodes[name]["dimension_names"] = getattr(node.metadata, "dimension_names", None)
    return nodes


ARRAYS = {"tensorstore": tensorstore_array, "zarr": zarr_array, "zarrista": zarrista_array,
          "numcodecs": numcodecs_array}
GROUPS = {"zarr": zarr_group}
FORMATS = {"tensorstore": (2, 3), "zarr": (2, 3), "zarrista": (2, 3), "numcodecs": (2,)}


def digest(elements):
    import numpy as np
    a = np.asarray(elements, object if isinstance(elements, (str, bytes)) else None)
    return hashlib.sha256(listed(a) if a.dtype.kind in "OT" else packed(a)).hexdigest()


def listed(a):
    """The elements in C order as JSON, with bytes and the bytes of lists in base64."""
    import numpy as np

    def value(element):
        if isinstance(element, np.ndarray):
            element = packed(element)
        if isinstance(element, bytes):
            return base64.b64encode(element).decode()
        return element

    text = json.dumps([value(e) for e in a.ravel()], ensure_ascii=False, separators=(",", ":"))
    return text.encode()


def packed(a):
    import numpy as np
    if a.dtype.itemsize == 0 and a.size:  # raw bits that NumPy has no type for
        span = sum((n - 1) * s for n, s in zip(a.shape, a.strides)) + 1
        memory = (ctypes.c_ubyte * span).from_address(a.__array_interface__["data"][0])
        a = np.ndarray(a.shape, "u1", memory, strides=a.strides).copy()
    a = np.ascontiguousarray(a).reshape(a.shape)
    if a.dtype.names:
        return a.astype(a.dtype.newbyteorder("<")).tobytes()
    big = a.dtype.byteorder == ">" or (a.dtype.byteorder == "=" and sys.byteorder == "big")
    return (a.byteswap() if big else a).tobytes()


def say(**line):
    print(json.dumps(line), flush=True)


def read(kind, case, reader, read_it):
    try:
        result = read_it(case)
        say(name=case["name"], reader=reader, **{kind: result})
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # every kind of failure is a result here, a panic of Rust too
        say(name=case["name"], reader=reader, error=f"{type(error).__name__}: {error}"[:300])


def main(manifest):
    warnings.simplefilter("ignore")
    with open(manifest, encoding="utf-8") as file:
        cases = json.load(file)
    for reader in ARRAYS:
        try:
            importlib.import_module(reader)
        except ImportError:
            continue
        from importlib.metadata import version
        if reader == "zarr" and int(version("zarr").split(".")[0]) < 3:
            continue
        say(reader=reader, version=version(reader))
        for case in cases["arrays"]:
            if case["format"] in FORMATS[reader]:
                read("sha256", case, reader,
                     lambda case: digest(ARRAYS[reader](case["path"], case["format"])))
        for case in cases["groups"] if reader in GROUPS else ():
            read("nodes", case, reader,
                 lambda case: GROUPS[reader](
                     case["path"], case["format"], case.get("consolidated", False)))


if __name__ == "__main__":
    main(sys.argv[1])
