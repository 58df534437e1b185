"""zarr-python as a client of the comparison. With --zarrs, its codecs are those of zarrs; with --obstore, its
requests are those of obstore, over HTTP and S3."""

import asyncio
import sys
from importlib.metadata import version

import numpy as np
import zarr

import peer


class ZarrPython:
    def __init__(self, by_obstore=False):
        self.content = None
        self.here = {}
        self.by_obstore = by_obstore

    def store(self, location):
        """What zarr-python opens: a location, or a store of obstore."""
        if not self.by_obstore:
            if location.startswith("s3+"):
                raise peer.Unsupported("not measured")
            return location
        from obstore.store import HTTPStore, S3Store

        if location.startswith("s3+"):
            server, bucket, prefix = location[len("s3+"):].split("/", 4)[2:]
            store = S3Store(bucket, prefix=prefix, endpoint="http://" + server, region="us-east-1",
                            virtual_hosted_style_request=False, skip_signature=True,
                            client_options={"allow_http": True})
        elif location.startswith("http"):
            store = HTTPStore.from_url(location, client_options={"allow_http": True})
        else:
            raise peer.Unsupported("over HTTP and S3 alone")
        return zarr.storage.ObjectStore(store, read_only=True)

    def array(self, location, name):
        if location.startswith("memory:"):
            if name not in self.here:
                self.here[name] = zarr.storage.MemoryStore({
                    key[len(name) + 1:]: zarr.core.buffer.cpu.Buffer.from_bytes(value)
                    for key, value in peer.files(location[len("memory:"):], name)})
            return zarr.open_array(self.here[name], mode="r")
        return zarr.open_array(self.store(location.rstrip("/") + "/" + name), mode="r")

    def read(self, location, array, argument):
        opened = self.array(location, array)
        selection = peer.selection(argument)
        orthogonal = any(isinstance(each, list) for each in selection)
        nanos, values = peer.timed(
            lambda: opened.oindex[selection] if orthogonal else opened[selection])
        return nanos, peer.total(values)

    def points(self, location, array, argument):
        opened = self.array(location, array)
        selection = peer.points(argument)
        nanos, values = peer.timed(lambda: opened.vindex[selection])
        return nanos, peer.total(values)

    def many(self, location, array, argument):
        opened = self.array(location, array)
        selections = [peer.selection(each) for each in argument.split("|")]

        async def work():
            return await asyncio.gather(
                *(opened.async_array.getitem(each) for each in selections))

        nanos, results = peer.timed(lambda: zarr.core.sync.sync(work()))
        return nanos, sum(peer.total(values) for values in results)

    def open(self, location, array, argument):
        names = peer.nodes(array, argument)

        async def work():
            return await asyncio.gather(
                *(zarr.api.asynchronous.open_array(
                    store=self.store(location.rstrip("/") + "/" + name), mode="r")
                  for name in names))

        nanos, opened = peer.timed(lambda: zarr.core.sync.sync(work()))
        return nanos, sum(each.shape[0] for each in opened)

    def walk(self, location, array, argument):
        nanos, found = peer.timed(
            lambda: zarr.open_group(self.store(location.rstrip("/") + "/" + array), mode="r")
            .members(max_depth=None))
        return nanos, len(found)

    def stream(self, location, array, argument):
        raise peer.Unsupported("no streams")

    def update(self, location, array, argument):
        self.write(location, array, "sharded")
        written = zarr.open_array(f"{location}/{array}", mode="r+")
        values = written[0:100, 0:100, 0:100]

        def work():
            written[peer.selection(argument)] = values

        nanos, _ = peer.timed(work)
        return nanos, peer.total(self.array(location, array)[...])

    def write(self, location, array, argument):
        side = 256
        if self.content is None:
            self.content = np.frombuffer(open(f"{location}/../content", "rb").read(), "<u2")
            self.content = self.content.reshape(side, side, side)
        shards = {"shards": (128,) * 3} if argument == "sharded" else {}

        def work():
            written = zarr.create_array(
                f"{location}/{array}", shape=(side,) * 3, chunks=(64,) * 3, dtype="uint16",
                compressors=zarr.codecs.ZstdCodec(level=3), **shards)
            written[...] = self.content

        nanos, _ = peer.timed(work)
        return nanos, peer.total(self.array(location, array)[...])


if __name__ == "__main__":
    if "--zarrs" in sys.argv:
        import zarrs  # registers the pipeline

        zarr.config.set({"codec_pipeline.path": "zarrs.ZarrsCodecPipeline"})
        if "--check" in sys.argv:
            print("zarrs-python " + version("zarrs"))
            sys.exit()
    zarr.config.set({"async.concurrency": 64})
    by_obstore = "--obstore" in sys.argv
    if "--check" in sys.argv:
        print(f"{version('obstore')} under zarr-python {version('zarr')}" if by_obstore
              else version("zarr"))
    else:
        peer.serve(ZarrPython(by_obstore))
