"""Expires snapshots and collects garbage in repositories, or tells what is in them.

Each line of the standard input is a JSON object: a "place", and for a cleanup "before" in
microseconds since 1970, "branches" and "tags". Then every array of every snapshot is read. The
answer is a line of JSON: the histories of all branches and tags, and the kinds of changes.
"""
import datetime
import json
import sys

import icechunk
import numpy as np
import zarr

zarr.config.set({"array.rectilinear_chunks": True})
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def told(repository):
    histories = {}
    snapshots = set()
    for kind, names in (("branch", repository.list_branches()), ("tag", repository.list_tags())):
        for name in names:
            history = [each.id for each in repository.ancestry(**{kind: name})]
            histories[kind + " " + name] = history
            snapshots.update(history)
    for snapshot in snapshots:
        store = repository.readonly_session(snapshot_id=snapshot).store
        root = zarr.open_group(store, mode="r") if "zarr.json" in root_keys(store) else None
        for _, node in root.members(max_depth=None) if root is not None else ():
            if isinstance(node, zarr.Array):
                read(node)
    log = [type(each.kind).__name__ for each in repository.ops_log()]
    return {"histories": histories, "log": log}


def read(array):
    try:
        np.asarray(array[...])
    except icechunk.InvalidInputError as error:
        if "virtual chunk" not in str(error):
            raise  # those in other places were not allowed here


def root_keys(store):
    import asyncio

    async def keys():
        return [key async for key in store.list_dir("")]

    return asyncio.run(keys())


for line in sys.stdin:
    asked = json.loads(line)
    repository = icechunk.Repository.open(icechunk.local_filesystem_storage(asked["place"]))
    if "before" in asked:
        before = EPOCH + datetime.timedelta(microseconds=asked["before"])
        repository.expire_snapshots(
            before,
            delete_expired_branches=asked["branches"],
            delete_expired_tags=asked["tags"],
        )
        tomorrow = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
        repository.garbage_collect(tomorrow)
        repository = icechunk.Repository.open(icechunk.local_filesystem_storage(asked["place"]))
    print(json.dumps(told(repository)), flush=True)
