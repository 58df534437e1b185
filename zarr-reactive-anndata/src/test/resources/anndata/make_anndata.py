"""Writes anndata.zip: matrices of AnnData and elements of SpatialData, and what their programs read.

    python -m venv py && py/bin/pip install anndata==0.13.4 spatialdata==0.8.0 zarr==3.4.2
    py/bin/python make_anndata.py

Each directory has data.zarr. expected.json has, by directory: of AnnData the columns of both tables as
texts (null for a missing value), and each matrix, dense; of SpatialData each element with the matrices of
its transformations, from x and y to x and y, by the name of the system of coordinates.
"""

import json
import pathlib
import tempfile
import warnings
import zipfile

import anndata
import geopandas
import numpy as np
import pandas as pd
import scipy.sparse
import shapely
import spatialdata
from spatialdata.models import (
    Image2DModel,
    Labels2DModel,
    PointsModel,
    ShapesModel,
    TableModel,
)
from spatialdata.transformations import (
    Affine,
    Identity,
    MapAxis,
    Scale,
    Sequence,
    Translation,
    get_transformation,
)

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent
ROOT = pathlib.Path(tempfile.mkdtemp())
EXPECTED = {}


def cells(rows, columns):
    random = np.random.default_rng(rows)
    dense = np.where(random.random((rows, columns)) < 0.2, random.integers(1, 50, (rows, columns)), 0)
    dense[rows // 2] = 0
    counts = dense.astype("int32")
    obs = pd.DataFrame(
        {
            "kind": pd.Categorical.from_codes(
                random.integers(-1, 3, rows), ["T cell", "B cell", "Größe"]),
            "stage": pd.Categorical.from_codes(
                random.integers(0, 3, rows), ["early", "middle", "late"], ordered=True),
            "batch": pd.Categorical.from_codes(random.integers(-1, 2, rows), [7, 9]),
            "area": random.normal(size=rows).round(3),
            "genes": pd.array([None if i % 5 == 0 else i * 3 for i in range(rows)], dtype="Int64"),
            "good": pd.array([None if i % 7 == 0 else i % 2 == 0 for i in range(rows)], dtype="boolean"),
            "plain": random.integers(0, 2, rows).astype(bool),
            "size": random.integers(0, 255, rows).astype("uint8"),
            "note": [f"n{i} ä" for i in range(rows)],
            "remark": pd.array([None if i % 3 == 0 else f"r{i}" for i in range(rows)], dtype="string"),
        },
        index=[f"cell-{i}" for i in range(rows)],
    )
    var = pd.DataFrame(
        {"length": np.arange(columns) * 10}, index=[f"gene-{i}" for i in range(columns)])
    var.index.name = "symbol"
    data = anndata.AnnData(
        X=scipy.sparse.csr_matrix(counts.astype("float32")),
        obs=obs,
        var=var,
        obsm={"X_pca": random.normal(size=(rows, 3)).astype("float32")},
        layers={
            "counts": scipy.sparse.csc_matrix(counts),
            "dense": dense.astype("float64"),
        },
        uns={"title": "cells", "numbers": np.arange(3)},
    )
    return data, dense


def text(value):
    if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def table(frame):
    columns = {name: [text(v) for v in frame[name].tolist()] for name in frame.columns}
    return {"labels": [str(label) for label in frame.index], "columns": columns}


def write_cells(name, data, version, dense):
    anndata.settings.zarr_write_format = version
    path = ROOT / name / "data.zarr"
    anndata.settings.allow_write_nullable_strings = True
    data.write_zarr(path, convert_strings_to_categoricals=False)
    back = anndata.read_zarr(path)
    EXPECTED[name] = {
        "obs": table(back.obs),
        "var": table(back.var),
        "X": np.asarray(back.X.todense()).tolist(),
        "layers/counts": np.asarray(back.layers["counts"].todense()).tolist(),
        "layers/dense": back.layers["dense"].tolist(),
    }


def matrix(transformation):
    return transformation.to_affine_matrix(("x", "y"), ("x", "y")).tolist()


def write_spatial(name, v2):
    random = np.random.default_rng(3)
    rotation = Affine(
        [[0.0, -2.0, 5.0], [2.0, 0.0, 7.0], [0.0, 0.0, 1.0]], ("x", "y"), ("x", "y"))
    image = Image2DModel.parse(
        random.integers(0, 255, (3, 32, 48)).astype("uint8"),
        dims=("c", "y", "x"),
        transformations={"global": Scale([0.5, 0.25], ("x", "y")), "turned": rotation},
    )
    multi = Image2DModel.parse(
        random.integers(0, 255, (1, 64, 64)).astype("uint16"),
        dims=("c", "y", "x"),
        scale_factors=[2],
        transformations={"global": Identity()},
    )
    labels = Labels2DModel.parse(
        random.integers(0, 4, (32, 48)).astype("int32"),
        dims=("y", "x"),
        transformations={"global": Sequence([Scale([2.0, 3.0], ("x", "y")), Translation([10.0, 20.0], ("x", "y"))])},
    )
    circles = ShapesModel.parse(
        geopandas.GeoDataFrame(
            {"radius": [1.0, 2.0], "geometry": [shapely.Point(1, 2), shapely.Point(3, 4)]}),
        transformations={"global": Translation([1.5, -2.5], ("x", "y"))},
    )
    points = PointsModel.parse(
        pd.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0], "gene": ["a", "b"]}),
        transformations={"swapped": MapAxis({"x": "y", "y": "x"})},
    )
    data, _ = cells(6, 4)
    data.obs["region"] = pd.Categorical(["labels"] * 6)
    data.obs["instance"] = np.arange(6)
    annotations = TableModel.parse(
        data, region="labels", region_key="region", instance_key="instance")
    anndata.settings.zarr_write_format = 3
    whole = spatialdata.SpatialData(
        images={"image": image, "multi": multi},
        labels={"labels": labels},
        shapes={"circles": circles},
        points={"points": points},
        tables={"cells": annotations},
    )
    path = ROOT / name / "data.zarr"
    if v2:
        from spatialdata._io.format import SpatialDataContainerFormatV01
        whole.write(path, sdata_formats=SpatialDataContainerFormatV01())
    else:
        whole.write(path)
    elements = {}
    for kind, key, element in whole.gen_elements():
        if kind == "tables":
            elements[f"{kind}/{key}"] = {}
        else:
            elements[f"{kind}/{key}"] = {
                system: matrix(t) for system, t in get_transformation(element, get_all=True).items()}
    EXPECTED[name] = elements


data, dense = cells(40, 12)
write_cells("cells-v3", data, 3, dense)
write_cells("cells-v2", data, 2, dense)
write_spatial("spatial-v3", False)
write_spatial("spatial-v2", True)
(ROOT / "expected.json").write_text(json.dumps(EXPECTED))
with zipfile.ZipFile(HERE / "anndata.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for file in sorted(ROOT.rglob("*")):
        if file.is_file():
            info = zipfile.ZipInfo(str(file.relative_to(ROOT)), (2026, 11, 27, 0, 0, 0))
            archive.writestr(info, file.read_bytes(), zipfile.ZIP_DEFLATED)
print(ROOT)
