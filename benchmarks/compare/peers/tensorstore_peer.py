"""TensorStore as a client of the comparison."""

import sys
from importlib.metadata import version

import numpy as np
import tensorstore as ts

import peer

ZSTD = [{"name": "bytes", "configuration": {"endian": "little"}},
        {"name": "zstd", "configuration": {"level": 3}}]


class TensorStore:
    def __init__(self):
        self.context = ts.Context()
        self.content = None
        self.here = set()

    def copied(self, directory, name):
        if name not in self.here:
            self.here.add(name)
            target = ts.KvStore.open({"driver": "memory"}, context=self.context).result()
            for key, value in peer.files(directory, name):
                target.write(key, value).result()

    def open(self, location, array, argument):
        names = peer.nodes(array, argument)

        def work():
            opening = [ts.open(self.spec(location, name), context=self.context) for name in names]
            return [each.result() for each in opening]

        nanos, opened = peer.timed(work)
        return nanos, sum(each.shape[0] for each in opened)

    def array(self, location, name):
        return ts.open(self.spec(location, name), context=self.context).result()

    def spec(self, location, name):
        if location.startswith("memory:"):
            store = {"driver": "memory", "path": name + "/"}
            self.copied(location[len("memory:"):], name)
        elif location.startswith("s3+"):
            server, bucket = location[len("s3+"):].rsplit("/", 1)
            store = {"driver": "s3", "endpoint": server, "bucket": bucket, "path": name + "/",
                     "aws_region": "us-east-1", "aws_credentials": {"type": "anonymous"}}
        elif location.startswith("http"):
            store = {"driver": "http", "base_url": location.rstrip("/"), "path": "/" + name + "/"}
        else:
            store = {"driver": "file", "path": f"{location}/{name}/"}
        return {"driver": "zarr3", "kvstore": store, "open": True}

    def read(self, location, array, argument):
        opened = self.array(location, array)
        selection = peer.selection(argument)
        orthogonal = any(isinstance(each, list) for each in selection)
        view = opened.oindex[selection] if orthogonal else opened[clipped(selection, opened)]
        nanos, values = peer.timed(lambda: view.read().result())
        return nanos, peer.total(values)

    def points(self, location, array, argument):
        view = self.array(location, array).vindex[peer.points(argument)]
        nanos, values = peer.timed(lambda: view.read().result())
        return nanos, peer.total(values)

    def many(self, location, array, argument):
        opened = self.array(location, array)
        views = [opened[peer.selection(each)] for each in argument.split("|")]

        def work():
            reading = [view.read() for view in views]
            return [each.result() for each in reading]

        nanos, results = peer.timed(work)
        return nanos, sum(peer.total(values) for values in results)

    def stream(self, location, array, argument):
        raise peer.Unsupported("no streams")

    def update(self, location, array, argument):
        self.write(location, array, "sharded")
        opened = self.array(location, array)
        values = opened[0:100, 0:100, 0:100].read().result()
        box = opened[peer.selection(argument)]
        nanos, _ = peer.timed(lambda: box.write(values).result())
        return nanos, peer.total(self.array(location, array).read().result())

    def walk(self, location, array, argument):
        raise peer.Unsupported("no groups")

    def write(self, location, array, argument):
        side = 256
        if self.content is None:
            self.content = np.frombuffer(open(f"{location}/../content", "rb").read(), "<u2")
            self.content = self.content.reshape(side, side, side)
        codecs = ZSTD
        chunk = 64
        if argument == "sharded":
            chunk = 128
            codecs = [{"name": "sharding_indexed", "configuration": {
                "chunk_shape": [64, 64, 64], "codecs": ZSTD,
                "index_codecs": [ZSTD[0], {"name": "crc32c"}], "index_location": "end"}}]
        spec = {
            "driver": "zarr3",
            "kvstore": {"driver": "file", "path": f"{location}/{array}/"},
            "create": True,
            "metadata": {
                "shape": [side] * 3, "data_type": "uint16", "fill_value": 0, "codecs": codecs,
                "chunk_grid": {"name": "regular",
                               "configuration": {"chunk_shape": [chunk] * 3}}}}
        nanos, _ = peer.timed(
            lambda: ts.open(spec, context=self.context).result().write(self.content).result())
        return nanos, peer.total(self.array(location, array).read().result())


def clipped(selection, opened):
    """A step begins at the first index there, as in NumPy: TensorStore keeps the origin."""
    return tuple(
        slice(each.start or 0, each.stop or extent, each.step)
        if isinstance(each, slice) and each.step else each
        for each, extent in zip(selection, opened.shape)) if selection[0] is not Ellipsis else ...


if __name__ == "__main__":
    if "--check" in sys.argv:
        print(version("tensorstore"))
    else:
        peer.serve(TensorStore())
