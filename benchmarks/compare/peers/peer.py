"""The lines between the comparison and a client in Python: see PeerProcess.java."""

import pathlib
import sys
import time

import numpy as np


class Unsupported(Exception):
    """The client has no such operation."""


def selection(text):
    """Parses NumPy's notation; lists are combined orthogonally."""
    if text == "...":
        return (Ellipsis,)
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c == "[") - (c == "]")
        if c == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    return tuple(dimension(each) for each in [*parts, part])


def dimension(text):
    if text.startswith("["):
        return [int(each) for each in text[1:-1].split(",")]
    if ":" in text:
        return slice(*(int(each) if each else None for each in text.split(":")))
    return int(text)


def points(text):
    """Returns the indices along each dimension."""
    rows = [[int(each) for each in point.split(",")] for point in text.split(";")]
    return tuple(np.array(each) for each in zip(*rows))


def nodes(root, text):
    """Returns the paths of the arrays below a group."""
    names, groups, arrays = text.rsplit(" ", 2)
    return [
        root + "/" + names % (g, a) for g in range(int(groups)) for a in range(int(arrays))
    ]


def files(directory, name):
    """Returns the keys and values of an array."""
    root = pathlib.Path(directory)
    return [(path.relative_to(root).as_posix(), path.read_bytes())
            for path in (root / name).rglob("*") if path.is_file()]


def total(values):
    return int(np.asarray(values).astype(np.uint64).sum())


def content(side):
    """The values that ComparedData.java writes."""
    wave = 3000 * np.sin(6 * np.pi * np.arange(side) / side)
    return (12000 + wave[:, None, None] + wave[None, :, None] + wave).astype(np.uint16)


def serve(client):
    """Answers each line by the method of the client that has the command's name."""
    for line in sys.stdin:
        command, location, array, argument = line.rstrip("\n").split("\t")
        try:
            nanos, checksum = getattr(client, command)(location, array, argument)
            answer = f"ok\t{nanos}\t{checksum}"
        except Unsupported as e:
            answer = f"unsupported\t{e}"
        except Exception as e:  # the comparison shows it in its table
            answer = "failed\t" + " ".join(f"{type(e).__name__}: {e}".split())[:200]
        print(answer, flush=True)


def timed(work):
    begun = time.perf_counter_ns()
    result = work()
    return time.perf_counter_ns() - begun, result
