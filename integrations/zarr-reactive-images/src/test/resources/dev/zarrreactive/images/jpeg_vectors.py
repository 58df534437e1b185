"""Encodes and decodes pictures with imagecodecs, one a line of standard output: a name, the shape,
the configuration, the stream in base64, and the decoded elements in base64.

    pip install imagecodecs==2026.10.10 pillow==13.0.0
    python jpeg_vectors.py > jpeg-vectors.tsv
"""

import base64
import io
import json

import imagecodecs
import numpy as np
from PIL import Image

RANDOM = np.random.default_rng(3)


def picture(height, width, components):
    y, x = np.mgrid[0:height, 0:width]
    waves = [128 + 90 * np.sin(x / (5 + c)) * np.cos(y / (7 + 2 * c)) for c in range(components)]
    noise = RANDOM.normal(0, 12, (height, width, components))
    pixels = np.clip(np.stack(waves, -1) + noise, 0, 255).astype("u1")
    return pixels[..., 0] if components == 1 else pixels


def base(data):
    return base64.b64encode(bytes(data)).decode()


def write(name, shape, configuration, stream, decoded):
    print(name, json.dumps(shape), json.dumps(configuration), base(stream),
          base(np.ascontiguousarray(decoded)), sep="\t")


def vector(name, height, width, components, decode=None, **options):
    stream = imagecodecs.jpeg8_encode(picture(height, width, components), **options)
    decode = decode or {}
    decoded = imagecodecs.jpeg8_decode(stream, **decode)
    names = {"colorspace": "colorspace_jpeg", "outcolorspace": "colorspace_data"}
    write(name, decoded.shape, {names[k]: v for k, v in decode.items()}, stream, decoded)
    return stream


vector("grey", 23, 37, 1)
vector("grey-low", 16, 16, 1, level=20)
vector("rgb", 33, 41, 3)
vector("rgb-444", 24, 31, 3, subsampling="444")
vector("rgb-422", 17, 40, 3, subsampling="422", level=75)
vector("rgb-level-10", 40, 40, 3, level=10)
vector("rgb-stored", 19, 21, 3, colorspace="RGB", outcolorspace="RGB")
vector("ycbcr-kept", 20, 20, 3, decode={"outcolorspace": "YCBCR"})
vector("optimized", 30, 18, 3, optimize=True)
vector("row", 1, 9, 3)
vector("large", 200, 130, 3, level=85)

# of other programs: progressive, and without the segment of JFIF
file = io.BytesIO()
Image.fromarray(picture(45, 60, 3)).save(file, "jpeg", progressive=True, quality=80)
write("progressive", [45, 60, 3], {}, file.getvalue(), imagecodecs.jpeg8_decode(file.getvalue()))
bare = imagecodecs.jpeg8_encode(picture(24, 31, 3), subsampling="444")
bare = bare[:2] + bare[4 + int.from_bytes(bare[4:6], "big"):]
write("without-jfif", [24, 31, 3], {}, bare, imagecodecs.jpeg8_decode(bare))
write("without-jfif-rgb", [24, 31, 3], {"colorspace_jpeg": "RGB"}, bare,
      imagecodecs.jpeg8_decode(bare, colorspace="RGB"))

# as TIFF has it: tables apart, and a stream without them
stream = imagecodecs.jpeg8_encode(picture(32, 48, 3), level=90)
segments, at = [], 2
while stream[at + 1] != 0xDA:
    size = int.from_bytes(stream[at + 2:at + 4], "big")
    segments.append((stream[at + 1], stream[at:at + 2 + size]))
    at += 2 + size
tables = b"\xff\xd8" + b"".join(s for m, s in segments if m in (0xDB, 0xC4)) + b"\xff\xd9"
rest = b"\xff\xd8" + b"".join(s for m, s in segments if m not in (0xDB, 0xC4)) + stream[at:]
write("tables", [32, 48, 3], {"tables": base(tables), "colorspace_data": 2}, rest,
      imagecodecs.jpeg8_decode(rest, tables=tables, outcolorspace=2))
header, body = stream[:at], stream[at:-2]
write("header", [32, 48, 3], {"header": base(header), "bitspersample": 8}, body,
      imagecodecs.jpeg8_decode(header + body + b"\xff\xd9"))
