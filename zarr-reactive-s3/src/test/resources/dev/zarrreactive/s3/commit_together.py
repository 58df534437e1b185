"""Commits to a repository in a bucket while others do, and prints "WRITER NUMBER SNAPSHOT".

Takes the endpoint, the bucket, the keys, how much ("20" commits or "60s") and the writer's number.
Every other commit writes an element of the array "a", and the others append to the array "log".
"""
import sys
import time

import icechunk
import numpy as np
import zarr

MOST = 10_000
endpoint, bucket, access, secret, much, writer = sys.argv[1:]
writer = int(writer)
repository = icechunk.Repository.open(
    icechunk.s3_storage(
        bucket=bucket,
        prefix="repo",
        region="us-east-1",
        endpoint_url=endpoint,
        allow_http=True,
        access_key_id=access,
        secret_access_key=secret,
        force_path_style=True,
    )
)


def commit(number):
    while True:
        session = repository.writable_session("main")
        if number % 2 == 1:
            zarr.open_array(session.store, path="log", mode="r+").append(
                np.asarray([writer * MOST + number], dtype="int32")
            )
        else:
            place = writer * MOST + number
            zarr.open_array(session.store, path="a", mode="r+")[place] = place + 1
        try:
            return session.commit(
                f"{writer} {number}", rebase_with=icechunk.BasicConflictSolver()
            )
        except (icechunk.ConflictError, icechunk.RebaseFailedError):
            continue


end = time.monotonic() + float(much[:-1]) if much.endswith("s") else None
number = 0
while time.monotonic() < end if end else number < int(much):
    print(writer, number, commit(number), flush=True)
    number += 1
