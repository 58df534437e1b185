"""Reads repositories that Java has written, and compares each snapshot with the answers beside it.

An array in the answers is [rank, *shape, *elements], a group is an empty list.
"""
import json
import pathlib
import sys

import icechunk
import numpy as np
import zarr


def check(repository, answers):
    assert sorted(repository.list_branches()) == sorted(answers["branches"])
    tags = {tag: repository.lookup_tag(tag) for tag in repository.list_tags()}
    assert tags == answers["tags"], tags
    for branch in answers["branches"]:
        messages = [snapshot.message for snapshot in repository.ancestry(branch=branch)]
        assert messages[-1] == "Repository initialized", messages
    count = 0
    for snapshot, nodes in answers["snapshots"].items():
        session = repository.readonly_session(snapshot_id=snapshot)
        store = session.store
        found = {}
        documents = [key for key in zarr.core.sync.sync(keys(store)) if key.endswith("zarr.json")]
        for key in documents:
            path = "/" + key.removesuffix("zarr.json").rstrip("/")
            if path == "/":
                continue
            node = zarr.open(store, path=path[1:], mode="r")
            if isinstance(node, zarr.Array):
                values = np.asarray(node[...])
                found[path] = [values.ndim, *values.shape, *values.ravel().tolist()]
            else:
                found[path] = []
        assert found == nodes, (snapshot, found, nodes)
        count += 1
    for branch, history in answers["history"].items():
        found = [
            [snapshot.id, snapshot.parent_id or "", snapshot.message]
            for snapshot in repository.ancestry(branch=branch)
        ]
        assert found == history, (branch, found, history)
        for child, parent, _ in history:
            if parent:
                check_difference(repository, answers["snapshots"], parent, child)
    assert repository.inspect_repo_info()["spec_version"]
    return count


def check_difference(repository, snapshots, parent, child):
    """Compares what Icechunk says of a commit with the nodes before and after it."""
    before, after = snapshots[parent], snapshots[child]
    diff = repository.diff(from_snapshot_id=parent, to_snapshot_id=child)
    new = (set(diff.new_groups) | set(diff.new_arrays)) - {"/"}
    gone = (set(diff.deleted_groups) | set(diff.deleted_arrays)) - {"/"}
    touched = set(diff.updated_arrays) | set(diff.updated_groups) | set(diff.updated_chunks)
    assert set(after) - set(before) <= new <= set(after), (child, new)
    assert set(before) - set(after) <= gone <= set(before), (child, gone)
    changed = {path for path in set(before) & set(after) if before[path] != after[path]}
    assert changed <= new | touched, (child, changed, touched)
    assert touched <= set(after) | {"/"}, (child, touched)
    assert repository.inspect_transaction_log(child)
    nodes = {node["path"] for node in repository.inspect_snapshot(child)["nodes"]}
    assert nodes - {"/"} == set(after), (child, nodes)


async def keys(store):
    return [key async for key in store.list()]


def main(directory):
    count = 0
    for answers in sorted(pathlib.Path(directory).glob("*.json")):
        storage = icechunk.local_filesystem_storage(str(answers.with_suffix("")))
        count += check(icechunk.Repository.open(storage), json.loads(answers.read_text()))
    print(count, "snapshots, all is equal")


main(sys.argv[1])
