"""icechunk under zarr-python as a client of the comparison; with --obstore, obstore alone."""

import asyncio
import os
import sys
from importlib.metadata import version
from urllib.parse import urlsplit

os.environ.setdefault("ICECHUNK_LOG", "error")
import icechunk
import numpy as np
import zarr

import make_repository
import peer


class Icechunk:
    """Repositories stay open, as ours do; the command "version" opens one anew."""

    def __init__(self):
        self.stores = {}

    @staticmethod
    def opened(location):
        place = location.removeprefix("icechunk+")
        if place.startswith("s3+"):
            url = urlsplit(place.removeprefix("s3+"))
            bucket, prefix = url.path.lstrip("/").split("/", 1)
            storage = icechunk.s3_storage(
                bucket=bucket, prefix=prefix, region="us-east-1", anonymous=True, allow_http=True,
                endpoint_url=f"http://{url.netloc}", force_path_style=True)
            credentials = None
        elif place.startswith("http"):
            storage = icechunk.http_storage(place, opts={"allow_http": "true"})
            prefix = place[: place.rindex("/") + 1]
            credentials = icechunk.containers_credentials(
                {prefix: icechunk.Credentials.HttpAccess()}) if place.endswith("/virtual") else None
        else:
            storage, credentials = icechunk.local_filesystem_storage(place), None
        repository = icechunk.Repository.open(
            storage, authorize_virtual_chunk_access=credentials)
        return repository.readonly_session("main").store

    def array(self, location, name):
        if location not in self.stores:
            self.stores[location] = self.opened(location)
        return zarr.open_array(self.stores[location], path=name, mode="r")

    def read(self, location, array, argument):
        opened = self.array(location, array)
        selection = peer.selection(argument)
        nanos, values = peer.timed(lambda: opened[selection])
        return nanos, peer.total(values)

    def many(self, location, array, argument):
        opened = self.array(location, array)
        selections = [peer.selection(each) for each in argument.split("|")]

        async def work():
            return await asyncio.gather(
                *(opened.async_array.getitem(each) for each in selections))

        nanos, results = peer.timed(lambda: zarr.core.sync.sync(work()))
        return nanos, sum(peer.total(values) for values in results)

    def version(self, location, array, argument):
        def work():
            opened = zarr.open_array(self.opened(location), path=array, mode="r")
            return opened[peer.selection(argument)] if argument else opened.shape[0]

        nanos, values = peer.timed(work)
        return nanos, peer.total(values)


class Obstore:
    """Ranges of a file, coalesced by obstore: no array, and no Icechunk."""

    def read(self, location, array, argument):
        import obstore
        from obstore.store import HTTPStore

        if array != "adjacent":
            raise peer.Unsupported("no arrays")
        place = location.removeprefix("icechunk+")
        store = HTTPStore.from_url(
            place[: place.rindex("/")], client_options={"allow_http": True})
        size = 2 * make_repository.CHUNK
        starts = [make_repository.HEAD + size * i for i in range(make_repository.CHUNKS)]
        nanos, ranges = peer.timed(
            lambda: obstore.get_ranges(
                store, "archive.bin", starts=starts, lengths=[size] * len(starts)))
        return nanos, sum(peer.total(np.frombuffer(each, "<u2")) for each in ranges)

    def __getattr__(self, command):
        raise peer.Unsupported("no " + command)


if __name__ == "__main__":
    is_obstore = "--obstore" in sys.argv
    zarr.config.set({"async.concurrency": 64})
    if "--check" in sys.argv:
        print(version("obstore") if is_obstore
              else f"{version('icechunk')} under zarr-python {version('zarr')}")
    else:
        peer.serve(Obstore() if is_obstore else Icechunk())
