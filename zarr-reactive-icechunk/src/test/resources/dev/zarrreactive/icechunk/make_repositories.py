"""Makes Icechunk repositories by its own Python library, and says what it reads of them.

    python make_repositories.py OUT named [NAME ...] the repositories that are kept as resources
    python make_repositories.py OUT random FROM TO   random histories of the seeds FROM to TO - 1

icechunk 2.x writes versions 1 and 2 of the specification, icechunk 1.x version 1. Each repository is
a directory OUT/NAME; OUT/NAME.json has branches, tags and, for each snapshot, the digest of the value
at each key as the library's store reads it, and the digest of the values of each array. Virtual
chunks lie in OUT/data, which the repositories call DATA.
"""

import asyncio
import hashlib
import json
import os
import random
import shutil
import sys
import warnings
from datetime import datetime, timedelta, timezone

os.environ.setdefault("ICECHUNK_LOG", "error")
import icechunk as ic
import numpy as np
import zarr

warnings.simplefilter("ignore")
IS_2 = ic.__version__.startswith("2")
DATA = "/tmp/icechunk-virtual-data"
PREFIX = "file://" + DATA + "/"
if IS_2:
    zarr.config.set({"array.rectilinear_chunks": True})
PROTOTYPE = zarr.core.buffer.default_buffer_prototype()


def sha(data):
    return hashlib.sha256(data).hexdigest()[:16]


class Maker:
    def __init__(self, out, name, spec, config=None):
        self.out, self.name, self.spec = out, name, spec
        self.path = os.path.join(out, name)
        self.config = config or ic.RepositoryConfig.default()
        self.containers = {}
        self.extra = {}

    def create(self):
        kwargs = {"spec_version": self.spec} if IS_2 else {}
        self.repo = ic.Repository.create(
            ic.local_filesystem_storage(self.path),
            config=self.config,
            authorize_virtual_chunk_access=self.credentials(),
            **kwargs,
        )
        if self.extra.pop("save", False):
            self.repo.save_config()
        return self.repo

    def credentials(self):
        return ic.containers_credentials({p: c for p, c in self.containers.items()}) if self.containers else None

    def container(self, prefix, store, credentials, name=None):
        kwargs = {"name": name} if name else {}
        self.config.set_virtual_chunk_container(ic.VirtualChunkContainer(prefix, store, **kwargs))
        self.containers[prefix] = credentials

    def reopen(self, config=None):
        self.repo = ic.Repository.open(
            ic.local_filesystem_storage(self.path),
            config=config,
            authorize_virtual_chunk_access=self.credentials(),
        )
        return self.repo

    def commit(self, change, message, branch="main", metadata=None):
        session = self.repo.writable_session(branch)
        change(session)
        return session.commit(message, metadata)

    def expect(self):
        repo = self.repo
        result = {
            "library": ic.__version__,
            "spec": 2 if os.path.exists(os.path.join(self.path, "repo")) else 1,
            "branches": {b: repo.lookup_branch(b) for b in sorted(repo.list_branches())},
            "tags": {t: repo.lookup_tag(t) for t in sorted(repo.list_tags())},
            "history": {},
            "snapshots": {},
        }
        result.update(self.extra)
        todo = set()
        for branch in result["branches"]:
            ancestry = list(repo.ancestry(branch=branch))
            result["history"][branch] = [s.id for s in ancestry]
            for s in ancestry:
                result["snapshots"][s.id] = self.info(s)
        for tag in result["tags"]:
            for s in repo.ancestry(tag=tag):
                result["snapshots"][s.id] = self.info(s)
        for id in result["snapshots"]:
            self.content(id, result["snapshots"][id])
        with open(os.path.join(self.out, self.name + ".json"), "w") as file:
            json.dump(result, file, indent=0, sort_keys=True)
        print(self.name, len(result["snapshots"]), "snapshots", flush=True)

    @staticmethod
    def info(s):
        at = s.written_at - datetime(1970, 1, 1, tzinfo=timezone.utc)
        return {
            "parent": s.parent_id,
            "message": s.message,
            "micros": at // timedelta(microseconds=1),
            "metadata": {k: plain(v) for k, v in dict(s.metadata).items()},
        }

    def content(self, id, into):
        session = self.repo.readonly_session(snapshot_id=id)
        store = session.store
        into["keys"], into["arrays"] = asyncio.run(self.read(store))

    async def read(self, store):
        keys = {}
        arrays = {}
        names = [k async for k in store.list()]
        for key in sorted(names):
            value = await store.get(key, PROTOTYPE)
            data = value.to_bytes()
            keys[key] = [len(data), sha(data)]
        for key in sorted(names):
            if key == "zarr.json" or key.endswith("/zarr.json"):
                document = json.loads((await store.get(key, PROTOTYPE)).to_bytes())
                if document["node_type"] == "array":
                    path = key[: -len("/zarr.json")] if "/" in key else ""
                    array = await zarr.AsyncArray.open(store, zarr_format=3) if not path else await zarr.api.asynchronous.open_array(store=store, path=path, zarr_format=3, mode="r")
                    values = np.asarray(await array.getitem(Ellipsis))
                    if values.dtype.kind in "biufcSUV" or values.dtype.kind in "mM":
                        if values.dtype.fields is None and values.dtype.kind in "biufcmM":
                            little = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<")))
                            arrays[path] = {"shape": list(values.shape), "sha": sha(little.tobytes())}
        return keys, arrays


def plain(value):
    return json.loads(json.dumps(value))


def empty_tree(session):
    root = zarr.group(store=session.store, overwrite=True)
    root.attrs["title"] = "grün"
    root.create_group("g/h", attributes={"n": 1.5, "list": [1, None, "x"]})


def basic(m):
    m.config.inline_chunk_threshold_bytes = 64
    m.create()
    m.commit(empty_tree, "a tree", metadata={"author": "somebody", "n": 3, "nested": {"a": [1, 2.5, None, True], "big": 2**40, "negative": -7}})

    def arrays(session):
        g = zarr.open_group(session.store, mode="a")
        a = g.create_array("g/plane", shape=(10, 7), chunks=(3, 4), dtype="f8", fill_value=1.5, dimension_names=("y", "x"))
        a[:] = np.arange(70).reshape(10, 7)
        b = g.create_array("g/h/noise", shape=(40, 30), chunks=(20, 30), dtype="i4", compressors=None)
        b[:] = np.random.default_rng(1).integers(0, 1 << 30, (40, 30))
        g.create_array("scalar", shape=(), dtype="i8")[...] = 42
        g.create_array("nothing", shape=(), dtype="f4", fill_value=2.5)
        g.create_array("empty", shape=(0, 5), chunks=(1, 5), dtype="i2")
        g.create_array("y", shape=(10,), chunks=(10,), dtype="f4", dimension_names=("y",))[:] = np.arange(10)
        sparse = g.create_array("sparse", shape=(100, 100, 100), chunks=(10, 10, 10), dtype="u1", fill_value=7)
        sparse[5, 95, 33] = 1
        sparse[95, 5, 33] = 2

    first = m.commit(arrays, "arrays")
    m.repo.create_tag("v 1", first)
    m.repo.create_tag("gone", first)
    m.repo.delete_tag("gone")
    m.extra["deleted_tags"] = ["gone"]

    def more(session):
        g = zarr.open_group(session.store, mode="a")
        g["g/plane"][2:5, 1] = -1
        g["g/plane"].resize((12, 7))
        g["g/plane"][11] = 5
        del g["nothing"]
        g["y"].resize((4,))

    second = m.commit(more, "changes")
    m.repo.create_branch("dev", first)

    def side(session):
        g = zarr.open_group(session.store, mode="a")
        g["scalar"][...] = 43
        g.create_array("g/h/deep/er", shape=(3,), chunks=(1,), dtype="u2")[:] = [1, 2, 3]
        g.create_group("g-h")

    m.commit(side, "on a branch", branch="dev")
    m.repo.create_branch("other name.1", second)
    m.repo.create_branch("dead", second)
    m.repo.delete_branch("dead")
    m.repo.create_branch("moved", second)
    m.repo.reset_branch("moved", first)


DTYPES = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", "M8[s]", "m8[ms]", "S5", "U4", "V3"]


def types(m):
    m.create()

    def write(session):
        g = zarr.group(store=session.store, overwrite=True)
        for i, name in enumerate(DTYPES):
            dtype = np.dtype(name)
            a = g.create_array("t%02d" % i, shape=(5, 4), chunks=(2, 3), dtype=dtype)
            values = np.random.default_rng(i).integers(0, 100, (5, 4))
            if dtype.kind in "SU":
                a[:] = values.astype(dtype)
            elif dtype.kind == "V":
                a[:] = np.frombuffer(values.astype("u1").tobytes() * 3, dtype=dtype).reshape(5, 4)
            else:
                a[:] = values.astype(dtype)
        s = g.create_array("text", shape=(4,), chunks=(3,), dtype=str)
        s[:] = np.array(["a", "grün", "", "日本語"], dtype=object)
        record = np.dtype([("a", "<i2"), ("b", "<f4")])
        r = g.create_array("record", shape=(3,), chunks=(2,), dtype=record)
        r[:] = np.array([(1, 1.5), (2, 2.5), (3, -1)], dtype=record)
        from zarr.codecs import BloscCodec, GzipCodec, TransposeCodec, ZstdCodec, Crc32cCodec

        for name, compressors in {
            "gzip": GzipCodec(level=1),
            "zstd": [ZstdCodec(level=3, checksum=True), Crc32cCodec()],
            "blosc": BloscCodec(cname="lz4", shuffle="shuffle"),
            "none": None,
        }.items():
            c = g.create_array("codec/" + name, shape=(30, 20), chunks=(30, 7), dtype=">i4" if name == "none" else "i4", compressors=compressors, filters=[TransposeCodec(order=(1, 0))] if name == "gzip" else "auto")
            c[:] = np.arange(600).reshape(30, 20)

    m.commit(write, "all types")


def shards(m):
    m.config.inline_chunk_threshold_bytes = 300
    m.create()

    def write(session):
        g = zarr.group(store=session.store, overwrite=True)
        a = g.create_array("a", shape=(20, 20), shards=(10, 10), chunks=(5, 5), dtype="i4", fill_value=-1)
        a[0:12, 0:7] = np.arange(84).reshape(12, 7)
        b = g.create_array("b", shape=(64,), shards=(32,), chunks=(4,), dtype="f8", compressors=None)
        b[:] = np.random.default_rng(3).random(64)
        c = g.create_array("c", shape=(6, 6), shards=(6, 6), chunks=(2, 2), dtype="u1")
        c[3, 3] = 9

    m.commit(write, "shards")

    def change(session):
        zarr.open_group(session.store, mode="a")["a"][15, 15] = 1

    m.commit(change, "one more")


def rectilinear(m):
    m.create()

    def write(session):
        g = zarr.group(store=session.store, overwrite=True)
        a = g.create_array("a", shape=(10, 9), chunks=[[2, 3, 5], [4, 5]], dtype="i4")
        a[:] = np.arange(90).reshape(10, 9)

    m.commit(write, "a grid of its own")


def splitting(*dims):
    return ic.ManifestConfig(
        splitting=ic.ManifestSplittingConfig.from_dict({ic.ManifestSplitCondition.name_matches("split.*"): dict(dims)})
    )


def split(m):
    d = ic.ManifestSplitDimCondition
    m.config.inline_chunk_threshold_bytes = 12
    m.config.manifest = splitting((d.Axis(0), 2), (d.DimensionName("lon"), 1), (d.Any(), 3))
    m.create()

    def write(session):
        g = zarr.group(store=session.store, overwrite=True)
        a = g.create_array("split", shape=(10, 10), chunks=(2, 3), dtype="f4", dimension_names=(None, "lon"))
        a[:] = np.arange(100).reshape(10, 10)
        b = g.create_array("split3", shape=(4, 6, 5), chunks=(1, 2, 1), dtype="i1")
        b[:, 0:3] = 3

    m.commit(write, "split")

    def change(session):
        g = zarr.open_group(session.store, mode="a")
        g["split"][3, 3] = -3

    m.commit(change, "one manifest changes")
    config = ic.RepositoryConfig.default()
    config.inline_chunk_threshold_bytes = 12
    config.manifest = splitting((d.Axis(0), 1), (d.Any(), 2))
    m.reopen(config)

    def append(session):
        g = zarr.open_group(session.store, mode="a")
        g["split"].resize((20, 10))
        g["split"][10:] = 12

    m.commit(append, "other splits")


def write_data():
    os.makedirs(DATA + "/sub dir", exist_ok=True)
    values = np.arange(4000, dtype="<f4")
    with open(DATA + "/values.bin", "wb") as file:
        file.write(b"header" + values.tobytes())
    with open(DATA + "/sub dir/ü%.bin", "wb") as file:
        file.write(np.arange(50, dtype="<i2").tobytes())
    for name in ("/values.bin", "/sub dir/ü%.bin"):
        os.utime(DATA + name, (1_700_000_000, 1_700_000_000))


def virtual(m):
    store = ic.local_filesystem_store(DATA)
    if IS_2 and m.spec == 2:
        m.container(PREFIX, store, None, name="files")
    else:
        m.container(PREFIX, store, None)
    m.config.set_virtual_chunk_container(
        ic.VirtualChunkContainer(
            "s3://testbucket/some/",
            ic.s3_store(region="us-east-1", endpoint_url="http://localhost:4200", allow_http=True, s3_compatible=True, force_path_style=True),
        )
    )
    m.extra["containers"] = {PREFIX: "files" if IS_2 and m.spec == 2 else None, "s3://testbucket/some/": None}
    m.extra["save"] = True
    m.create()

    def write(session):
        g = zarr.group(store=session.store, overwrite=True)
        a = g.create_array("few", shape=(1000,), chunks=(250,), dtype="f4", compressors=None)
        session.store.set_virtual_ref("few/c/0", PREFIX + "values.bin", offset=6, length=1000)
        session.store.set_virtual_ref("few/c/2", PREFIX + "values.bin", offset=6 + 2000, length=1000, checksum=datetime(2030, 1, 1, tzinfo=timezone.utc))
        a[750:] = 1
        g.create_array("names", shape=(50,), chunks=(50,), dtype="i2", compressors=None)
        session.store.set_virtual_ref("names/c/0", PREFIX + "sub%20dir/%C3%BC%25.bin", offset=0, length=100)

    m.commit(write, "virtual chunks")

    def many(session):
        g = zarr.open_group(session.store, mode="a")
        g.create_array("many", shape=(4000,), chunks=(2,), dtype="f4", compressors=None)
        session.store.set_virtual_refs(
            "many",
            [ic.VirtualChunkSpec([i], PREFIX + "values.bin", 6 + 8 * i, 8) for i in range(2000)],
        )
        if IS_2 and m.spec == 2:
            g.create_array("relative", shape=(4,), chunks=(4,), dtype="f4", compressors=None)
            session.store.set_virtual_ref("relative/c/0", "vcc://files/values.bin", offset=6, length=16)

    m.commit(many, "many virtual chunks")


def history(m, expire):
    m.create()
    times = []

    def create(session):
        g = zarr.group(store=session.store, overwrite=True)
        g.create_array("a", shape=(4,), chunks=(1,), dtype="i4")

    m.commit(create, "create")
    for i in range(6):
        def change(session, i=i):
            zarr.open_group(session.store, mode="a")["a"][i % 4] = i + 1

        m.commit(change, "change %d" % i)
        times.append(datetime.now(timezone.utc))
        if i == 1:
            m.repo.create_branch("old", m.repo.lookup_branch("main"))
            m.repo.create_tag("kept", m.repo.lookup_branch("main"))
    if expire:
        m.repo.expire_snapshots(times[3])


def amended(m):
    m.create()

    def create(session):
        g = zarr.group(store=session.store, overwrite=True)
        g.create_array("a", shape=(4,), chunks=(1,), dtype="i4")

    m.commit(create, "create")
    for i in range(3):
        session = m.repo.writable_session("main")
        zarr.open_group(session.store, mode="a")["a"][i] = i + 1
        if i == 1:
            session.amend("amended")
        else:
            session.commit("change %d" % i)


def moved(m):
    m.create()

    def create(session):
        g = zarr.group(store=session.store, overwrite=True)
        g.create_array("a/b/c", shape=(4,), chunks=(2,), dtype="i4")[:] = [1, 2, 3, 4]
        g.create_group("a-b")
        g.create_array("z", shape=(40,), chunks=(40,), dtype="i8", compressors=None)[:] = np.arange(40)

    m.commit(create, "create")
    session = m.repo.rearrange_session("main")
    session.move("/a/b", "/new")
    session.move("/z", "/a-b/z")
    session.commit("moved")
    m.commit(lambda s: zarr.open_group(s.store, mode="a")["new/c"].__setitem__(0, 9), "written again")


def settings(m):
    m.config.num_updates_per_repo_info_file = 2
    m.create()
    m.commit(empty_tree, "a tree")
    m.repo.set_metadata({"owner": "somebody", "x": [1, 2]})
    m.repo.set_feature_flag("move_node", False)
    m.repo.set_feature_flag("create_tag", False)
    for i in range(5):
        m.commit(lambda s, i=i: zarr.open_group(s.store, mode="a").create_group("g%d" % i), "group %d" % i)
    m.repo.set_status(ic.RepoStatus(ic.RepoAvailability.read_only, datetime.now(timezone.utc), "moving house"))
    m.extra["read_only"] = "moving house"
    m.extra["disabled"] = ["create_tag", "move_node"]


def migrated(maker):
    def make(m):
        maker(m)
        m.repo = ic.upgrade_icechunk_repository(m.repo, dry_run=False)
        m.reopen()
        m.commit(lambda s: zarr.open_group(s.store, mode="a").create_group("since"), "after the migration")

    return make


def dataset(m):
    m.config.inline_chunk_threshold_bytes = 16
    m.create()

    def write(days):
        def change(session):
            g = zarr.group(store=session.store, overwrite=False)
            if "time" not in g:
                g.create_array("time", shape=(0,), chunks=(4,), dtype="i4", dimension_names=("time",), attributes={"units": "days since 2020-01-01"})
                lat = g.create_array("lat", shape=(3,), chunks=(3,), dtype="f8", dimension_names=("lat",), attributes={"units": "degrees_north"})
                lat[:] = [10, 20, 30]
                g.create_array("t2m", shape=(0, 3), chunks=(2, 3), dtype="i2", dimension_names=("time", "lat"), attributes={"units": "K", "scale_factor": 0.5, "add_offset": 200.0})
            start = g["time"].shape[0]
            g["time"].resize((start + len(days),))
            g["t2m"].resize((start + len(days), 3))
            g["time"][start:] = np.array(days)
            g["t2m"][start:] = np.array(days)[:, None] * 10 + np.array([0, 1, 2])

        return change

    m.commit(write([0, 1, 2]), "three days")
    m.commit(write([3, 4]), "two more")


def empty(m):
    m.create()


def rebased(m):
    """Commits of sessions that did not know of each other."""
    m.config.inline_chunk_threshold_bytes = 0
    m.create()

    def create(session):
        g = zarr.group(store=session.store, overwrite=True)
        g.create_array("a", shape=(12,), chunks=(2,), dtype="i4")[:] = 0

    m.commit(create, "create")
    one, other = m.repo.writable_session("main"), m.repo.writable_session("main")
    zarr.open_group(one.store, mode="a")["a"][0:6] = 1
    zarr.open_group(other.store, mode="a")["a"][4:10] = 2
    zarr.open_group(other.store, mode="a").create_array("b", shape=(3,), chunks=(1,), dtype="u1")[:] = [1, 2, 3]
    one.commit("one")
    ours = ic.BasicConflictSolver(on_chunk_conflict=ic.VersionSelection.UseOurs)
    other.commit("other, rebased", rebase_with=ours)
    stale = m.repo.writable_session("main")
    zarr.open_group(stale.store, mode="a")["a"][11] = 3
    m.commit(lambda s: zarr.open_group(s.store, mode="a")["a"].__setitem__(11, 4), "between")
    theirs = ic.BasicConflictSolver(on_chunk_conflict=ic.VersionSelection.UseTheirs)
    zarr.open_group(stale.store, mode="a")["a"][1] = 5
    stale.commit("theirs", rebase_with=theirs)


def collected(m):
    """What expiration and garbage collection leave."""
    history(m, True)
    m.repo.delete_branch("old")
    m.repo.garbage_collect(datetime.now(timezone.utc))


def names(m):
    """Nodes whose names tell the orders of bytes and of names apart."""
    m.create()

    def write(session):
        g = zarr.group(store=session.store, overwrite=True)
        for i, path in enumerate(["a", "a-b", "a b", "a.b", "a0", "ab", "ä", "日本", "A", "c", "c0"]):
            g.create_group(path, attributes={"i": i})
            g.create_array(path + "/x", shape=(2,), chunks=(1,), dtype="i2")[:] = [i, -i]
            g.create_array(path + "/c", shape=(2, 2), chunks=(1, 2), dtype="i2")[:] = i
        g.create_array("c/0", shape=(3,), chunks=(2,), dtype="u1")[:] = [7, 8, 9]

    m.commit(write, "names")
    m.commit(lambda s: zarr.open_group(s.store, mode="a")["a-b/x"].__setitem__(0, 99), "one of them")


def replaced(m):
    """Nodes that are deleted and made again at the same path, as others."""
    m.config.inline_chunk_threshold_bytes = 8
    m.create()

    def make(dtype, shape, chunks, value):
        def change(session):
            g = zarr.open_group(session.store, mode="a")
            g.create_array("n", shape=shape, chunks=chunks, dtype=dtype, overwrite=True)[...] = value

        return change

    m.commit(lambda s: zarr.group(store=s.store, overwrite=True), "root")
    m.commit(make("i4", (6,), (2,), 1), "an array")
    m.commit(make("f8", (3, 3), (2, 2), 2.5), "another one")

    def group(session):
        g = zarr.open_group(session.store, mode="a")
        del g["n"]
        g.create_group("n/deep")

    m.commit(group, "a group")

    def scalar(session):
        g = zarr.open_group(session.store, mode="a")
        del g["n"]
        g.create_array("n", shape=(), dtype="u1")[...] = 3

    m.commit(scalar, "a scalar")


def rewritten(m):
    """Manifests that were written anew with other splits."""
    d = ic.ManifestSplitDimCondition
    m.config.inline_chunk_threshold_bytes = 0
    m.create()

    def write(session):
        g = zarr.group(store=session.store, overwrite=True)
        g.create_array("split", shape=(12, 4), chunks=(1, 2), dtype="i4")[:] = np.arange(48).reshape(12, 4)

    m.commit(write, "one manifest")
    config = ic.RepositoryConfig.default()
    config.inline_chunk_threshold_bytes = 0
    config.manifest = splitting((d.Axis(0), 5), (d.Any(), 1))
    m.reopen(config)
    m.repo.rewrite_manifests("split", branch="main")
    m.commit(lambda s: zarr.open_group(s.store, mode="a")["split"].__setitem__((7, 3), -1), "a chunk")


def flushed(m):
    """A snapshot that no branch leads to, until one is reset to it."""
    m.create()
    m.commit(empty_tree, "a tree")
    session = m.repo.writable_session("main")
    zarr.open_group(session.store, mode="a").create_array("a", shape=(4,), chunks=(2,), dtype="i4")[:] = 6
    session.flush("no branch yet")
    snapshot = session.snapshot_id
    m.repo.create_branch("later", snapshot)
    m.repo.create_tag("flushed", snapshot)
    m.commit(lambda s: zarr.open_group(s.store, mode="a").create_group("more"), "more")


def shifted(m):
    """Chunks that were moved within the grid, without being written."""
    m.config.inline_chunk_threshold_bytes = 0
    m.create()

    def write(session):
        g = zarr.group(store=session.store, overwrite=True)
        g.create_array("a", shape=(12, 4), chunks=(2, 2), dtype="i4", fill_value=-1)[:] = np.arange(48).reshape(12, 4)

    m.commit(write, "written")
    session = m.repo.writable_session("main")
    session.shift_array("/a", (2, 0))
    session.commit("shifted down")
    session = m.repo.writable_session("main")
    session.reindex_array("/a", lambda index: [index[0], 1 - index[1]], lambda index: [index[0], 1 - index[1]])
    session.commit("turned around")


def tagged(m):
    """Virtual chunks with the ETags of their objects, as icechunk 1 checks those of files."""
    m.container(PREFIX, ic.local_filesystem_store(DATA), None)
    m.extra["containers"] = {PREFIX: None}
    m.extra["save"] = True
    m.create()
    stat = os.stat(DATA + "/values.bin")
    etag = "%x-%x-%x" % (stat.st_ino, stat.st_mtime_ns // 1000, stat.st_size)

    def write(session):
        g = zarr.group(store=session.store, overwrite=True)
        g.create_array("a", shape=(500,), chunks=(250,), dtype="f4", compressors=None)
        for i in range(2):
            session.store.set_virtual_ref("a/c/%d" % i, PREFIX + "values.bin", offset=6 + 1000 * i, length=1000, checksum=etag)

    m.commit(write, "virtual chunks with ETags")


def random_history(m, seed):
    r = random.Random(seed)
    rng = np.random.default_rng(seed)
    m.config.inline_chunk_threshold_bytes = r.choice([0, 20, 64, 512])
    if r.random() < 0.4:
        d = ic.ManifestSplitDimCondition
        m.config.manifest = ic.ManifestConfig(
            splitting=ic.ManifestSplittingConfig.from_dict(
                {ic.ManifestSplitCondition.AnyArray(): {d.Axis(0): r.randint(1, 3), d.Any(): r.randint(1, 4)}}
            )
        )
    m.create()
    m.commit(lambda s: zarr.group(store=s.store, overwrite=True), "start")
    tags = 0
    for step in range(r.randint(3, 8)):
        branches = sorted(m.repo.list_branches())
        branch = r.choice(branches)
        session = m.repo.writable_session(branch)
        root = zarr.open_group(session.store, mode="a")
        for _ in range(r.randint(1, 5)):
            arrays = sorted(p for p, n in root.members(max_depth=None) if isinstance(n, zarr.Array))
            kind = r.random()
            if kind < 0.35 or not arrays:
                rank = r.randint(0, 3)
                shape = tuple(r.choice([0, 1, 3, 5, 8]) for _ in range(rank))
                chunks = tuple(max(1, r.randint(1, max(1, n))) for n in shape)
                name = r.choice(["", "g/", "g/h/", "g-h/"]) + "a%d" % r.randint(0, 6)
                if any(name.startswith(a + "/") for a in arrays):
                    continue
                a = root.create_array(name, shape=shape, chunks=chunks, dtype=r.choice(["i4", "f8", "u1", "c8"]), fill_value=r.randint(0, 3), overwrite=True, compressors=r.choice([None, "auto"]))
                if r.random() < 0.8:
                    a[...] = rng.integers(0, 50, shape).astype(a.dtype)
            else:
                a = root[r.choice(arrays)]
                if kind < 0.7:
                    cut = tuple(slice(r.randint(0, n), None) for n in a.shape)
                    size = tuple(len(range(*c.indices(n))) for c, n in zip(cut, a.shape))
                    if 0 not in size:
                        a[cut if cut else ...] = rng.integers(0, 50, size).astype(a.dtype)
                elif kind < 0.8 and a.ndim:
                    a.resize(tuple(max(0, n + r.randint(-3, 4)) for n in a.shape))
                elif kind < 0.9:
                    a.attrs["step"] = step
                else:
                    del root[a.path.strip("/")]
        if session.has_uncommitted_changes:
            session.commit("step %d" % step, {"seed": seed, "step": step})
        if r.random() < 0.25:
            m.repo.create_branch("b%d" % step, m.repo.lookup_branch(r.choice(branches)))
        if r.random() < 0.25:
            m.repo.create_tag("t %d" % step, m.repo.lookup_branch(r.choice(branches)))
            tags += 1
        if r.random() < 0.1 and tags:
            m.repo.delete_tag(sorted(m.repo.list_tags())[0])
            tags -= 1


def named():
    either = {
        "basic": basic,
        "types": types,
        "shards": shards,
        "split": split,
        "virtual": virtual,
        "history": lambda m: history(m, False),
        "expired": lambda m: history(m, True),
        "empty": empty,
        "rebased": rebased,
        "collected": collected,
        "names": names,
        "replaced": replaced,
        "rewritten": rewritten,
    }
    if not IS_2:
        return [(name + "-by-1", 1, maker) for name, maker in {**either, "tagged": tagged}.items()]
    old = ("basic", "virtual", "expired", "split", "empty", "rebased", "collected", "replaced", "rewritten")
    moved_on = ("basic", "split", "virtual", "expired", "shards", "empty", "collected", "names")
    new = {"flushed": flushed, "shifted": shifted, "rectilinear": rectilinear, "amended": amended, "moved": moved, "settings": settings, "dataset": dataset}
    return (
        [(name + "-v2", 2, maker) for name, maker in {**either, **new}.items()]
        + [(name + "-v1", 1, maker) for name, maker in either.items() if name in old]
        + [(name + "-migrated", 1, migrated(either[name])) for name in moved_on]
    )


def main(out, what, *seeds):
    os.makedirs(out, exist_ok=True)
    write_data()
    if what == "named":
        todo = [each for each in named() if not seeds or each[0] in seeds]
    else:
        todo = []
        for seed in range(int(seeds[0]), int(seeds[1])):
            spec = 1 if not IS_2 or seed % 3 == 0 else 2
            todo.append(("random-%d" % seed, spec, lambda m, seed=seed: random_history(m, seed)))
    for name, spec, maker in todo:
        m = Maker(out, name, spec)
        shutil.rmtree(m.path, ignore_errors=True)
        maker(m)
        m.expect()
    shutil.copytree(DATA, os.path.join(out, "data"), dirs_exist_ok=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
