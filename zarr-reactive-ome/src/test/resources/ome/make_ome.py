"""Writes images.zip: images of OME-Zarr and rasters, and what other readers find in them.

    python -m venv py && py/bin/pip install ome-zarr==0.18.0 ngff-zarr==0.50.0 rioxarray==0.19.0
    py/bin/python make_ome.py

Each directory has data.zarr. The file expected.json has, by directory and path, the axes, the levels
with shape, scale and translation as ngff-zarr reads them, and the CRC-32 of the elements of each
level, little-endian and in C order, as zarr-python reads them; of rasters, what rioxarray reads.
"""

import json
import pathlib
import shutil
import sys
import tempfile
import warnings
import zipfile
import zlib

import ngff_zarr
import numpy as np
import ome_zarr
import rioxarray
import xarray
import zarr
from ome_zarr.format import FormatV04, FormatV05
from ome_zarr.writer import (
    write_image,
    write_label_metadata,
    write_labels,
    write_plate_metadata,
    write_well_metadata,
)

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).parent
ROOT = pathlib.Path(tempfile.mkdtemp())
EXPECTED = {}


def blobs(shape, seed, most):
    """Spots in the last two dimensions, in 20 steps, which compress well; other dimensions move them."""
    result = np.zeros(shape, dtype="float64")
    y, x = np.mgrid[0 : shape[-2], 0 : shape[-1]]
    for index in np.ndindex(*shape[:-2]):
        random = np.random.default_rng([seed, *index])
        plane = np.zeros(shape[-2:])
        for _ in range(5):
            at = random.uniform(0.1, 0.9, 2) * shape[-2:]
            width = random.uniform(0.04, 0.1) * shape[-1]
            plane += np.exp(-(((y - at[0]) ** 2 + (x - at[1]) ** 2) / (2 * width**2)))
        result[index] = plane
    return np.round(np.clip(result, 0, 1) * 20) * (most / 20)


def checksum(array):
    data = np.ascontiguousarray(array[...])
    return zlib.crc32(data.astype(data.dtype.newbyteorder("<")).tobytes())


def expect(directory, path=""):
    """Records what ngff-zarr and zarr-python find in an image."""
    place = ROOT / directory / "data.zarr" / path
    image = ngff_zarr.from_ngff_zarr(str(place))
    group = zarr.open_group(place, mode="r")
    attributes = group.attrs.asdict()
    multiscale = attributes.get("ome", attributes)["multiscales"][0]
    levels = []
    for level, dataset in zip(image.images, multiscale["datasets"]):
        array = group[dataset["path"]]
        levels.append(
            {
                "path": dataset["path"],
                "shape": list(array.shape),
                "scale": [float(level.scale[d]) for d in level.dims],
                "translation": [float(level.translation[d]) for d in level.dims],
                "crc32": checksum(array),
            }
        )
    units = image.images[0].axes_units or {}
    axes = [
        {"name": a.name, "type": a.type, "unit": units.get(a.name) or ""}
        for a in image.metadata.axes
    ]
    EXPECTED[f"{directory}/{path}"] = {"axes": axes, "levels": levels}


def channels(labels_colours, end, most):
    return {
        "channels": [
            {
                "label": label,
                "color": colour,
                "active": True,
                "window": {"start": 0, "end": end, "min": 0, "max": most},
            }
            for label, colour in labels_colours
        ],
        "rdefs": {"defaultZ": 1, "defaultT": 0, "model": "color"},
    }


def ome_zarr_images(version, fmt):
    """An image of five dimensions, with channels and labels, by ome-zarr-py."""
    name = f"ome-zarr-{version}-image"
    root = zarr.open_group(
        ROOT / name / "data.zarr", mode="w", zarr_format=fmt.zarr_format
    )
    data = blobs((2, 3, 3, 64, 48), 1, 60000).astype("uint16")
    omero = channels([("DNA", "0000FF"), ("actin", "00FF00"), ("tubulin", "FF0000")], 40000, 65535)
    omero["channels"][2]["active"] = False
    write_image(
        data,
        root,
        fmt=fmt,
        axes="tczyx",
        scale_factors=[2, 4],
        scale={"t": 10.0, "z": 2.0, "y": 0.5, "x": 0.25},
        axes_units={"t": "second", "z": "micrometer", "y": "micrometer", "x": "micrometer"},
    )
    attributes = root.attrs.asdict()
    if "ome" in attributes:
        root.attrs["ome"] = {**attributes["ome"], "omero": omero}
    else:
        root.attrs["omero"] = omero
    labels = (data[0, 0] > 20000).astype("uint8") + (data[0, 1] > 20000).astype("uint8") * 2
    write_labels(labels, root, name="cells", fmt=fmt, axes="zyx", scale_factors=[2, 4])
    write_label_metadata(
        root["labels"],
        "cells",
        colors=[
            {"label-value": 1, "rgba": [255, 0, 0, 255]},
            {"label-value": 2, "rgba": [0, 255, 0, 128]},
        ],
        properties=[{"label-value": 1, "class": "nucleus"}],
        fmt=fmt,
    )
    expect(name)
    expect(name, "labels/cells")


def ome_zarr_plate(version, fmt):
    """A plate of 2 x 3 wells, one of which is missing, with two fields each, by ome-zarr-py."""
    name = f"ome-zarr-{version}-plate"
    root = zarr.open_group(
        ROOT / name / "data.zarr", mode="w", zarr_format=fmt.zarr_format
    )
    rows, columns, fields = ["A", "B"], ["1", "2", "3"], ["0", "1"]
    wells = [f"{row}/{column}" for row in rows for column in columns if row + column != "B2"]
    write_plate_metadata(
        root,
        rows,
        columns,
        wells,
        fmt=fmt,
        field_count=2,
        name="cells",
        acquisitions=[{"id": 1, "name": "first"}],
    )
    for number, well in enumerate(wells):
        group = root.require_group(well)
        write_well_metadata(
            group, [{"path": field, "acquisition": 1} for field in fields], fmt=fmt
        )
        for field in fields:
            image = group.require_group(field)
            data = blobs((2, 1, 64, 64), 10 * number + int(field), 250).astype("uint8")
            write_image(
                data, image, fmt=fmt, axes="czyx", scale_factors=[2], scale={"y": 0.5, "x": 0.5}
            )
            omero = channels([("DNA", "4080FF"), ("actin", "FFB000")], 200, 255)
            attributes = image.attrs.asdict()
            if "ome" in attributes:
                image.attrs["ome"] = {**attributes["ome"], "omero": omero}
            else:
                image.attrs["omero"] = omero
    expect(name, "A/1/0")
    expect(name, "B/3/1")


def ngff_zarr_images():
    """Images of ngff-zarr: with a translation, with shards, without channels."""
    volume = ngff_zarr.to_ngff_image(
        blobs((10, 40, 50), 2, 1).astype("float32"),
        dims=["z", "y", "x"],
        scale={"z": 2.5, "y": 0.5, "x": 0.5},
        translation={"z": 100.0, "y": -20.0, "x": 7.5},
        axes_units={"z": "micrometer", "y": "micrometer", "x": "micrometer"},
        name="volume",
    )
    plane = ngff_zarr.to_ngff_image(
        blobs((2, 64, 64), 3, 4000).astype("uint16"),
        dims=["c", "y", "x"],
        scale={"c": 1.0, "y": 0.1, "x": 0.1},
        axes_units={"y": "millimeter", "x": "millimeter"},
        name="plane",
    )
    for version in ["0.4", "0.5"]:
        levels = ngff_zarr.to_multiscales(volume, scale_factors=[2, 4], chunks=32)
        name = f"ngff-zarr-{version}-volume"
        ngff_zarr.to_ngff_zarr(str(ROOT / name / "data.zarr"), levels, version=version)
        expect(name)
        levels = ngff_zarr.to_multiscales(plane, scale_factors=[2], chunks=16)
        name = f"ngff-zarr-{version}-plane"
        more = {"chunks_per_shard": 2} if version == "0.5" else {}
        ngff_zarr.to_ngff_zarr(str(ROOT / name / "data.zarr"), levels, version=version, **more)
        expect(name)


def bioformats2raw(version, fmt):
    """The layout of bioformats2raw: two images in a group, and OME-XML beside them."""
    name = f"bioformats2raw-{version}"
    place = ROOT / name / "data.zarr"
    root = zarr.open_group(place, mode="w", zarr_format=fmt.zarr_format)
    layout = {"bioformats2raw.layout": 3}
    root.attrs.update(layout if version == "0.4" else {"ome": {"version": "0.5", **layout}})
    paths = ["0", "1"] if version == "0.4" else ["second", "0"]
    for seed, path in enumerate(paths):
        data = blobs((1, 1, 1, 32, 32), 20 + seed, 255).astype("uint8")
        write_image(data, root.require_group(path), fmt=fmt, axes="tczyx", scale_factors=[2])
        expect(name, path)
    ome = root.require_group("OME")
    if version == "0.5":
        ome.attrs["ome"] = {"version": "0.5", "series": paths}
    xml = '<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0"/></OME>'
    (place / "OME" / "METADATA.ome.xml").write_text(xml)


def rasters():
    """Rasters of rioxarray: with its coordinates, with a GeoTransform alone, in Zarr v2 and v3."""
    data = xarray.DataArray(
        blobs((2, 20, 30), 4, 1000).astype("int16"),
        dims=["band", "y", "x"],
        coords={
            "y": 5_000_000.0 - 10 * np.arange(20) - 5,
            "x": 600_000.0 + 10 * np.arange(30) + 5,
        },
        name="reflectance",
    )
    utm = data.rio.write_crs("EPSG:32633").rio.write_transform()
    lonlat = xarray.DataArray(
        blobs((18, 36), 5, 1).astype("float32"),
        dims=["latitude", "longitude"],
        coords={"latitude": 85.0 - 10 * np.arange(18), "longitude": -175.0 + 10 * np.arange(36)},
        name="relief",
    ).rio.write_crs("EPSG:4326")
    for version in [2, 3]:
        for name, raster in [
            ("utm", utm),
            ("bare", utm.drop_vars(["x", "y"])),
            ("lonlat", lonlat),
        ]:
            directory = f"rioxarray-v{version}-{name}"
            place = ROOT / directory / "data.zarr"
            raster.to_zarr(place, mode="w", zarr_format=version, consolidated=True)
            back = xarray.open_zarr(place, decode_coords="all")[raster.name]
            EXPECTED[f"{directory}/"] = {
                "variable": raster.name,
                "epsg": back.rio.crs.to_epsg(),
                "transform": list(back.rio.transform().to_gdal()),
                "bounds": list(back.rio.bounds()),
            }


for version, fmt in [("0.4", FormatV04()), ("0.5", FormatV05())]:
    ome_zarr_images(version, fmt)
    ome_zarr_plate(version, fmt)
    bioformats2raw(version, fmt)
ngff_zarr_images()
rasters()
(ROOT / "expected.json").write_text(json.dumps(EXPECTED, indent=1))
target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "images.zip"
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for file in sorted(ROOT.rglob("*")):
        if file.is_file():
            entry = zipfile.ZipInfo(str(file.relative_to(ROOT)), (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.read_bytes())
shutil.rmtree(ROOT)
print(target, target.stat().st_size)
