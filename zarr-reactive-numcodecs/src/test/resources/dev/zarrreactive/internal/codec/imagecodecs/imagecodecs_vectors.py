"""Encodes bytes with imagecodecs; each line of OUTPUT has a codec, its configuration, and both in Base64.

    python imagecodecs_vectors.py OUTPUT    (needs imagecodecs 2026.10.10 and numpy)
"""

import base64
import json
import sys

import imagecodecs.numcodecs as codecs
import numpy as np

random = np.random.default_rng(34)
TEXTS = {
    "short": b"123456789",
    "runs": b"".join(bytes([i % 7]) * (i * 7 % 190) for i in range(30)),
    "noise": random.integers(0, 256, 6000, dtype="u1").tobytes(),
    "steps": (np.arange(9000) // 37 % 251).astype("u1").tobytes(),
}
lines = []


def line(id, codec, data, **configuration):
    array = data if isinstance(data, bytes) else data.tobytes()
    encoded = codec.encode(data)
    if not isinstance(encoded, bytes):
        encoded = np.asarray(encoded).tobytes()
    lines.append("\t".join([id, json.dumps(configuration), base64.b64encode(array).decode(),
                            base64.b64encode(encoded).decode()]))


for name, text in TEXTS.items():
    for id, options in [("zlib", {}), ("zlib", {"level": 9}), ("deflate", {}), ("deflate", {"raw": True, "level": 6}),
                        ("zstd", {"level": 3}), ("bz2", {}), ("lzma", {}), ("lzw", {}), ("packbits", {}),
                        ("lz4", {}), ("lz4", {"header": True}), ("lz4h5", {}), ("lz4h5", {"blocksize": 1000}),
                        ("lzf", {}), ("lzf", {"header": False}), ("bitorder", {}), ("zlibng", {})]:
        if len(text) > 5000 and id not in ("lzw", "lzf", "packbits", "lz4h5"):
            continue
        line(id, getattr(codecs, id.capitalize())(**options), text, **options)
for dtype in ("|u1", "<u2", "<i4", "<u8", "<f4", "<f8"):
    data = (random.normal(size=(4, 6, 3)) * 1000).astype(dtype)
    for axis in (-1, -2, 0):
        options = {"shape": [4, 6, 3], "dtype": dtype, "axis": axis}
        line("delta", codecs.Delta(**options), data, **options)
for dtype in ("<f2", "<f4", "<f8", ">f4", ">f8"):
    data = random.normal(size=(4, 6, 3)).cumsum(1).astype(dtype)
    for axis, dist in ((-1, 1), (-2, 1), (-2, 2)):
        options = {"shape": [4, 6, 3], "dtype": dtype, "axis": axis, "dist": dist}
        line("floatpred", codecs.Floatpred(**options), data, **options)

with open(sys.argv[1], "w") as f:
    f.write("\n".join(lines) + "\n")
print(len(lines), "vectors")
