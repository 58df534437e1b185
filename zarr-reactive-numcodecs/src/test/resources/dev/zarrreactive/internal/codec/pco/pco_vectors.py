"""Encodes random arrays by the package pcodec, which is the Rust library.

    python pco_vectors.py COUNT SEED [MOST]

prints COUNT lines for each specification of mode and differences and for each type, of arrays with
up to MOST elements: codec, configuration, type, shape, and in base64 the array, once more the
array, for the format loses nothing, and the encoded bytes.
"""
import base64
import sys

import numpy as np
from pcodec import ChunkConfig, DeltaSpec, ModeSpec, PagingSpec, standalone

INTEGERS = ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"]
FLOATS = ["float16", "float32", "float64"]
MODES = ["auto", "classic", "int_mult", "float_mult", "float_quant", "dict"]
DELTAS = ["auto", "no_op", "consecutive", "lookback", "conv1"]


def mode_spec(random, mode):
    if mode == "int_mult":
        return ModeSpec.try_int_mult(int(random.integers(2, 100)))
    if mode == "float_mult":
        return ModeSpec.try_float_mult(float(random.choice([0.1, 0.01, 0.25, 3.0])))
    if mode == "float_quant":
        return ModeSpec.try_float_quant(int(random.integers(1, 11)))
    return {"auto": ModeSpec.auto, "classic": ModeSpec.classic, "dict": ModeSpec.try_dict}[mode]()


def delta_spec(random, delta):
    if delta == "consecutive":
        return DeltaSpec.try_consecutive(int(random.integers(1, 8)))
    if delta == "conv1":
        return DeltaSpec.try_conv1(int(random.integers(1, 33)))
    return {"auto": DeltaSpec.auto, "no_op": DeltaSpec.no_op,
            "lookback": DeltaSpec.try_lookback}[delta]()


def numbers(random, dtype, count):
    kind = random.integers(0, 7)
    if dtype in INTEGERS:
        info = np.iinfo(dtype)
        if kind == 0:
            return random.integers(info.min, info.max, count, dtype=dtype, endpoint=True)
        if kind == 1:
            return np.cumsum(random.integers(-3, 5, count)).astype(dtype)
        if kind == 2:
            return (random.integers(0, 5, count) * 17).astype(dtype)
        if kind == 3:
            return np.tile(random.integers(0, 100, 20), count // 20 + 1)[:count].astype(dtype)
        if kind == 4:
            return np.full(count, random.integers(0, 100)).astype(dtype)
        if kind == 5:
            return (50 * np.sin(np.arange(count) / 9.0)).astype(int).astype(dtype)
        return (random.exponential(size=count) * 1000).astype(int).astype(dtype)
    if kind == 0:
        bits = random.integers(0, 2**63, count, dtype=np.uint64) * np.uint64(2)
        size = np.dtype(dtype).itemsize
        return bits.view(f"u{size}")[::8 // size].copy().view(dtype)[:count]
    if kind == 1:
        return np.cumsum(random.normal(size=count)).astype(dtype)
    if kind == 2:
        return (random.integers(-1000, 1000, count) * 0.01).astype(dtype)
    if kind == 3:
        return np.round(random.normal(size=count), 1).astype(dtype)
    if kind == 4:
        values = (random.integers(-50, 50, count) * 0.25).astype(dtype)
        values[random.random(count) < 0.1] = random.choice([np.nan, np.inf, -np.inf, -0.0])
        return values
    if kind == 5:
        return random.normal(size=count).astype(np.float16).astype(dtype)
    with np.errstate(over="ignore"):
        return (random.normal(size=count) * 10.0 ** random.uniform(-8, 8, count)).astype(dtype)


def text(data):
    return base64.b64encode(data).decode()


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 1500
    random = np.random.default_rng(seed)
    for mode in MODES:
        for dtype in INTEGERS + FLOATS:
            if mode == "int_mult" and dtype in FLOATS:
                continue
            if mode in ("float_mult", "float_quant") and dtype in INTEGERS:
                continue
            for delta in DELTAS:
                if delta == "conv1" and dtype in ("int64", "uint64", "float64"):
                    continue
                written = 0
                while written < count:
                    written += write(random, mode, delta, dtype, most)


def write(random, mode, delta, dtype, most):
    """Writes one line, but none where the library fails: on a few numbers of a convolution."""
    size = int(random.integers(1, most + 1))
    array = np.ascontiguousarray(numbers(random, dtype, size))
    pages = int(random.choice([100, 300, 1 << 18]))
    config = ChunkConfig(
        compression_level=int(random.integers(0, 13)), mode_spec=mode_spec(random, mode),
        delta_spec=delta_spec(random, delta), paging_spec=PagingSpec.equal_pages_up_to(pages),
        enable_8_bit=True)
    try:
        encoded = standalone.simple_compress(array, config)
    except BaseException as e:
        if type(e).__name__ != "PanicException":
            raise
        return 0
    back = standalone.simple_decompress(encoded)
    assert back.tobytes() == array.tobytes()
    print("numcodecs.pcodec", "{}", dtype, size, text(array.tobytes()), text(array.tobytes()),
          text(encoded), sep="\t")
    return 1


main()
