"""Encodes random arrays by the C library of zfp, which the package zfpy carries.

    python zfp_vectors.py COUNT SEED [MOST]

prints COUNT lines for each mode and type, of arrays with up to MOST elements: codec, configuration,
type, shape, and in base64 the array, the array after its way through zfp, and the encoded bytes.
"""
import base64
import ctypes
import glob
import json
import os
import sys

import numpy as np
import zfpy

LIBRARY = ctypes.CDLL(
    glob.glob(os.path.join(os.path.dirname(zfpy.__file__), "zfpy.libs", "libzfp*"))[0])
TYPES = {"int32": 1, "int64": 2, "float32": 3, "float64": 4}
MODES = ["fixed_rate", "fixed_precision", "fixed_accuracy", "reversible", "expert"]
HEADER = 7
for name in ["zfp_stream_open", "zfp_field_alloc", "stream_open"]:
    getattr(LIBRARY, name).restype = ctypes.c_void_p
for name in ["zfp_compress", "zfp_stream_maximum_size", "zfp_write_header"]:
    getattr(LIBRARY, name).restype = ctypes.c_size_t
LIBRARY.zfp_stream_set_rate.restype = ctypes.c_double
LIBRARY.zfp_stream_set_accuracy.restype = ctypes.c_double
for i in range(1, 5):
    getattr(LIBRARY, f"zfp_field_{i}d").restype = ctypes.c_void_p


def pointer(value):
    return ctypes.c_void_p(value)


def stream(array, mode, config):
    zfp = pointer(LIBRARY.zfp_stream_open(None))
    kind = TYPES[array.dtype.name]
    if mode == "fixed_rate":
        LIBRARY.zfp_stream_set_rate(zfp, ctypes.c_double(config["rate"]), kind, array.ndim, 0)
    elif mode == "fixed_precision":
        LIBRARY.zfp_stream_set_precision(zfp, config["precision"])
    elif mode == "fixed_accuracy":
        LIBRARY.zfp_stream_set_accuracy(zfp, ctypes.c_double(config["tolerance"]))
    elif mode == "reversible":
        LIBRARY.zfp_stream_set_reversible(zfp)
    else:
        assert LIBRARY.zfp_stream_set_params(
            zfp, config["minbits"], config["maxbits"], config["maxprec"], config["minexp"])
    return zfp


def field(array):
    extents = [ctypes.c_size_t(n) for n in reversed(array.shape)]
    make = getattr(LIBRARY, f"zfp_field_{array.ndim}d")
    return pointer(make(pointer(array.ctypes.data), TYPES[array.dtype.name], *extents))


def code(array, mode, config, header):
    array = np.ascontiguousarray(array)
    zfp, shape = stream(array, mode, config), field(array)
    size = LIBRARY.zfp_stream_maximum_size(zfp, shape) + 64
    buffer = ctypes.create_string_buffer(size)
    bits = pointer(LIBRARY.stream_open(buffer, ctypes.c_size_t(size)))
    LIBRARY.zfp_stream_set_bit_stream(zfp, bits)
    LIBRARY.zfp_stream_rewind(zfp)
    if header:
        assert LIBRARY.zfp_write_header(zfp, shape, HEADER)
    used = LIBRARY.zfp_compress(zfp, shape)
    assert used
    encoded = buffer.raw[:used]
    decoded = np.empty_like(array)
    back = field(decoded)
    LIBRARY.zfp_stream_rewind(zfp)
    if header:
        assert LIBRARY.zfp_read_header(zfp, back, HEADER)
        LIBRARY.zfp_field_set_pointer(back, pointer(decoded.ctypes.data))
    assert LIBRARY.zfp_decompress(zfp, back)
    LIBRARY.zfp_stream_close(zfp)
    LIBRARY.stream_close(bits)
    return decoded, encoded


def numbers(random, dtype, shape, exact):
    count = int(np.prod(shape))
    kind = random.integers(0, 7)
    if dtype.startswith("int"):
        limit = 2 ** (29 if dtype == "int32" else 61)
        if kind == 0:
            values = random.integers(-100, 100, count)
        elif kind == 1:
            values = np.cumsum(random.integers(-9, 10, count))
        elif kind == 2:
            values = np.zeros(count)
        elif kind == 3 and exact:
            values = random.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, count)
        else:
            values = random.integers(-limit, limit, count)
        return values.astype(dtype).reshape(shape)
    if kind == 0:
        values = np.sin(np.arange(count) / 7.0) * 10.0 ** random.integers(-20, 20)
    elif kind == 1:
        values = np.cumsum(random.normal(size=count))
    elif kind == 2:
        values = np.where(random.random(count) < 0.8, 0, random.normal(size=count))
    elif kind == 3:
        values = np.round(random.normal(size=count), 2)
    elif kind == 4:
        values = random.normal(size=count) * 1e-41
    elif kind == 5 and exact:
        bits = random.integers(0, 2**63, count, dtype=np.uint64) * np.uint64(2)
        values = (bits >> np.uint64(32)).astype(np.uint32).view("float32") if dtype == "float32" else bits.view("float64")
        return values.astype(dtype).reshape(shape)
    else:
        values = random.normal(size=count) * 10.0 ** random.uniform(-30, 30, count)
    return values.astype(dtype).reshape(shape)


def configuration(random, mode, rank):
    if mode == "fixed_rate":
        return {"rate": float(np.round(random.uniform(0.1, 40), 2))}
    if mode == "fixed_precision":
        return {"precision": int(random.integers(1, 65))}
    if mode == "fixed_accuracy":
        return {"tolerance": float(10.0 ** random.integers(-40, 30) * random.random())}
    if mode == "reversible":
        return {}
    least = int(random.integers(1, 300))
    if random.random() < 0.3:
        least = 1
    most = least + int(random.integers(13, 3000))
    return {"minbits": least, "maxbits": most, "maxprec": int(random.integers(1, 65)),
            "minexp": int(random.integers(-1074, 40))}


def text(array):
    data = array if isinstance(array, bytes) else array.tobytes()
    return base64.b64encode(data).decode()


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 600
    random = np.random.default_rng(seed)
    for mode in MODES:
        for dtype in TYPES:
            for i in range(count):
                rank = i % 4 + 1
                side = max(1, int(round(most ** (1 / rank))))
                shape = tuple(int(n) for n in random.integers(1, side + 1, rank))
                array = numbers(random, dtype, shape, mode == "reversible")
                config = configuration(random, mode, rank)
                header = bool(random.random() < 0.5)
                decoded, encoded = code(array, mode, config, header)
                config = {"mode": mode, **config}
                if header:
                    config["write_header"] = True
                print("zfp", json.dumps(config), dtype, ",".join(map(str, shape)), text(array),
                      text(decoded), text(encoded), sep="\t")


main()
