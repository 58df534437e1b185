"""Encodes and decodes chunks by zfpy and pcodec, the native libraries, for FormatFigures.

    python formats_peer.py DIRECTORY

writes I.raw and I.enc for each case and prints a line for it: its name, the codec, its
configuration, the type and the shape; then an empty line. For each line "encode I N" or "decode I N"
of its input it does so N times and prints the seconds of the processor.
"""
import json
import os
import sys
import time

import numpy as np
import pcodec
import zfpy

SIDES = (64, 128, 128)
COUNT = 1 << 20


def waves(dtype):
    random = np.random.default_rng(1)
    z, y, x = np.ogrid[0:SIDES[0], 0:SIDES[1], 0:SIDES[2]]
    field = 280 + 20 * np.sin(z / 9) + 15 * np.cos(y / 23) * np.sin(x / 31)
    return (field + random.normal(size=SIDES) * 0.05).astype(dtype)


def walk(dtype, scale):
    random = np.random.default_rng(2)
    return (np.cumsum(random.normal(size=COUNT)) * scale).astype(dtype)


def cases():
    for mode, settings in (("reversible", {}), ("fixed_rate", {"rate": 8}),
                           ("fixed_accuracy", {"tolerance": 0.01})):
        for dtype in ("float32", "float64"):
            yield f"zfp {mode}", "zfp", {"mode": mode, **settings}, waves(dtype)
    whole = (waves("float64") * 100).astype("int32")
    yield "zfp reversible", "zfp", {"mode": "reversible"}, whole
    for dtype, scale in (("float32", 1), ("float64", 1), ("int32", 10), ("int64", 1000)):
        yield "pcodec", "pcodec", {}, walk(dtype, scale)
    yield "pcodec, two decimals", "pcodec", {}, np.round(walk("float64", 1), 2)


def encoder(name, configuration, array):
    if name == "pcodec":
        config = pcodec.ChunkConfig()
        return lambda: pcodec.standalone.simple_compress(array, config)
    limits = {key: configuration[key] for key in ("rate", "tolerance") if key in configuration}
    return lambda: zfpy.compress_numpy(array, write_header=False, **limits)


def decoder(name, configuration, array, encoded):
    if name == "pcodec":
        return lambda: pcodec.standalone.simple_decompress(encoded)
    limits = {key: configuration[key] for key in ("rate", "tolerance") if key in configuration}
    kind = zfpy.dtype_to_ztype(array.dtype)
    return lambda: zfpy._decompress(encoded, kind, array.shape, **limits)


def main():
    directory = sys.argv[1]
    work = []
    for i, (title, name, configuration, array) in enumerate(cases()):
        array = np.ascontiguousarray(array)
        encode = encoder(name, configuration, array)
        encoded = encode()
        decode = decoder(name, configuration, array, encoded)
        array.tofile(os.path.join(directory, f"{i}.raw"))
        with open(os.path.join(directory, f"{i}.enc"), "wb") as file:
            file.write(encoded)
        decode()
        work.append({"encode": encode, "decode": decode})
        print(title, name, json.dumps(configuration), array.dtype,
              ",".join(map(str, array.shape)), sep="\t", flush=True)
    print(flush=True)
    for line in sys.stdin:
        what, i, times = line.split()
        start = time.process_time()
        for _ in range(int(times)):
            work[int(i)][what]()
        print(time.process_time() - start, flush=True)


main()
