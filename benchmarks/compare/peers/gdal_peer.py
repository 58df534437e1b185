"""GDAL as a client of the comparison: boxes of arrays, in files and over HTTP."""

import os
import sys

os.environ.setdefault("GDAL_NUM_THREADS", "ALL_CPUS")
os.environ.setdefault("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR")
from osgeo import gdal

import peer

gdal.UseExceptions()


class Gdal:
    """Opens an array anew for each read, as its cache of chunks lives with the opened array."""

    @staticmethod
    def array(location, name):
        if location.startswith(("memory:", "s3+")):
            raise peer.Unsupported("files and HTTP alone")
        place = location.rstrip("/") + "/" + name
        if location.startswith("http"):
            gdal.VSICurlClearCache()
            place = "/vsicurl/" + place
        dataset = gdal.OpenEx(f'ZARR:"{place}"', gdal.OF_MULTIDIM_RASTER)
        root = dataset.GetRootGroup()
        return dataset, root.OpenMDArray(root.GetMDArrayNames()[0])

    def read(self, location, array, argument):
        dataset, opened = self.array(location, array)
        parts = peer.selection(argument)
        extents = [each.GetSize() for each in opened.GetDimensions()]
        starts, counts, steps = [], [], []
        if parts[0] is Ellipsis:
            parts = tuple(slice(None) for _ in extents)
        for part, extent in zip(parts, extents):
            if isinstance(part, list):
                raise peer.Unsupported("no lists")
            range_of = range(extent)[part] if isinstance(part, slice) else range(part, part + 1)
            starts.append(range_of.start)
            counts.append(len(range_of))
            steps.append(range_of.step)
        nanos, values = peer.timed(lambda: opened.ReadAsArray(starts, counts, steps))
        return nanos, peer.total(values)

    def __getattr__(self, command):
        raise peer.Unsupported("no " + command)


if __name__ == "__main__":
    if "--check" in sys.argv:
        if gdal.GetDriverByName("Zarr") is None:
            sys.exit("this GDAL has no driver of Zarr")
        print(gdal.VersionInfo("RELEASE_NAME"))
    else:
        peer.serve(Gdal())
