"""Writes formulas.json.gz: random formulas of variables of datasets.zip, and what xarray makes of them.

Run with xarray, cftime, zarr and numpy 2 installed: python make_formulas.py
A formula is [operation, operand, ...]; an operand is a formula, a name, or a number. Of the values
the hash is recorded, with one NaN for all.
"""

import gzip
import hashlib
import json
import operator
import os
import random
import tempfile
import warnings
import zipfile

import numpy as np
import xarray as xr

warnings.simplefilter("ignore")
np.seterr(all="ignore")
HERE = os.path.dirname(os.path.abspath(__file__))
OUT = tempfile.mkdtemp()
zipfile.ZipFile(os.path.join(HERE, "datasets.zip")).extractall(OUT)
random.seed(38)

PAIRS = {"plus": operator.add, "minus": operator.sub, "times": operator.mul, "dividedBy": operator.truediv}
COMPARISONS = {"lessThan": operator.lt, "atMost": operator.le, "greaterThan": operator.gt,
               "atLeast": operator.ge, "equalTo": operator.eq, "notEqualTo": operator.ne}
CONDITIONS = {"and": operator.and_, "or": operator.or_}


def numbers(ds):
    return sorted(n for n, v in ds.variables.items() if v.dtype.kind in "iufb" and v.size)


def leaf(names):
    return random.choice(names)


def number():
    return random.choice([0, 1, 2, 3, 7, -1, 100, 0.5, -2.25, 273.15, 1e10])


def value(names, depth):
    if depth == 0 or random.random() < 0.2:
        return leaf(names)
    kind = random.random()
    if kind < 0.6:
        right = number() if random.random() < 0.4 else value(names, depth - 1)
        return [random.choice(list(PAIRS)), value(names, depth - 1), right]
    if kind < 0.75:
        return ["where", value(names, depth - 1), condition(names, depth - 1)]
    if kind < 0.9:
        other = number() if random.random() < 0.5 else value(names, depth - 1)
        return ["where", value(names, depth - 1), condition(names, depth - 1), other]
    return ["map", value(names, depth - 1)]


def condition(names, depth):
    kind = random.random()
    if depth <= 0 or kind < 0.6:
        right = number() if random.random() < 0.5 else value(names, depth - 1 if depth > 0 else 0)
        return [random.choice(list(COMPARISONS)), value(names, max(0, depth - 1)), right]
    if kind < 0.8:
        return [random.choice(list(CONDITIONS)), condition(names, depth - 1), condition(names, depth - 1)]
    if kind < 0.9:
        return ["not", condition(names, depth - 1)]
    return ["missing", value(names, depth - 1)]


class Beyond(Exception):
    pass


def calculated(ds, formula):
    if isinstance(formula, str):
        return ds[formula].variable.to_base_variable()
    if not isinstance(formula, list):
        return formula
    how, *operands = formula
    of = [calculated(ds, each) for each in operands]
    if how in PAIRS:
        return PAIRS[how](of[0], of[1])
    if how in COMPARISONS:
        return COMPARISONS[how](of[0], of[1])
    if how in CONDITIONS:
        return CONDITIONS[how](of[0], of[1])
    if how == "not":
        return ~of[0]
    if how == "missing":
        return of[0].isnull()
    if how == "map":
        if of[0].dtype.kind != "f":
            raise Beyond()
        return np.sqrt(of[0])
    if of[0].dtype.kind == "b":
        raise Beyond()  # xarray makes objects of them
    return of[0].where(of[1], *of[2:])


records = []
names = sorted(os.listdir(OUT))
opened = {}
while len(records) < 2000:
    name = random.choice(names)
    if not os.path.isdir(os.path.join(OUT, name, "data.zarr")):
        continue
    if name not in opened:
        opened[name] = xr.open_zarr(os.path.join(OUT, name, "data.zarr"), decode_timedelta=True, chunks=None).load()
    ds = opened[name]
    part = {}
    for d, n in ds.sizes.items():
        choice = random.random()
        if n > 1 and choice < 0.15:
            part[d] = random.randrange(n)
        elif n > 2 and choice < 0.3:
            part[d] = [random.randrange(1, n), n, random.choice([1, 2])]
    cut = ds.isel({d: i if isinstance(i, int) else slice(*i) for d, i in part.items()})
    usable = numbers(cut)
    if not usable:
        continue
    formula = value(usable, 3) if random.random() < 0.8 else condition(usable, 3)
    if isinstance(formula, str):
        continue
    try:
        result = calculated(cut, formula)
    except (Beyond, TypeError, OverflowError):
        continue
    if not isinstance(result, xr.Variable) or result.dtype.kind not in "iufb" or result.size > 20000:
        continue
    values = np.ascontiguousarray(result.values)
    if values.dtype.kind == "f":
        values = np.where(np.isnan(values), np.array(np.nan, values.dtype), values).astype(values.dtype)
    first = [float(v) if np.isfinite(v) else str(v) for v in values.astype("f8").ravel()[:4]]
    records.append({"dataset": name, "part": part, "formula": formula, "dims": list(result.dims),
                    "shape": list(result.shape), "type": str(result.dtype), "first": first,
                    "sha256": hashlib.sha256(values.tobytes()).hexdigest()})

target = os.path.join(HERE, "formulas.json.gz")
with gzip.GzipFile(target, "wb", 9, mtime=0) as file:
    file.write(json.dumps({"records": records}, separators=(",", ":")).encode())
types = {}
for record in records:
    types[record["type"]] = types.get(record["type"], 0) + 1
print(len(records), "records,", os.path.getsize(target), "bytes", types)
