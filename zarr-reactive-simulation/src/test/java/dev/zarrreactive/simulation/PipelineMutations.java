package dev.zarrreactive.simulation;

import dev.zarrreactive.simulation.Mutation.Edit;
import java.util.stream.Stream;

/** Faults of what reads and writes chunks. */
final class PipelineMutations {
  private PipelineMutations() {}

  static Stream<Mutation> all() {
    return Stream.of(
        Mutation.of(
            "a load is joined before its bytes are leased",
            801,
            new Edit(
                "internal.pipeline.ChunkLoader",
                "load.takeUntilOther(reading.over())",
                "chunk.bytes().lease().then(load).takeUntilOther(reading.over())"),
            new Edit(
                "internal.pipeline.ChunkLoader",
                "found.switchIfEmpty(leased.then(others(chunk, decoded, id).switchIfEmpty(own)))",
                "found.switchIfEmpty(own)")),
        Mutation.of(
            "a key's lock is handed on while a cancelled write is under way",
            29,
            new Edit(
                "internal.flow.KeyLocks",
                "if (!storing) {\n              line.remove(this);\n            }",
                "line.remove(this);")),
        Mutation.of(
            "writers of one chunk do not take turns",
            29,
            new Edit(
                "internal.flow.KeyLocks",
                "if (!over && !refused[0]) {\n                    line.add(this);\n"
                    + "                  }",
                "sink.success();")),
        Mutation.of(
            "a cancelled stream keeps its bytes",
            2,
            new Edit(
                "internal.pipeline.Reading",
                "    over.tryEmitEmpty();\n    share.close();",
                "    over.tryEmitEmpty();")),
        Mutation.of(
            "a decoded chunk is handed on without its bytes given back",
            40,
            new Edit(
                "internal.pipeline.HeldBytes",
                "if (unheard.decrementAndGet() == 0) {\n      lease.end();\n    } else {\n"
                    + "      lease.giveBack(decodedEach);\n    }",
                "unheard.decrementAndGet();")),
        Mutation.of(
            "bytes are leased beyond the bound",
            36,
            new Edit(
                "internal.pipeline.ByteBudget",
                "return free >= 0 && (held == 0 || held + bytes <= 3 * free);",
                "return true;")),
        Mutation.of(
            "decoded chunks outlive a write",
            27,
            new Edit(
                "internal.pipeline.Client",
                "      decodedChunks.forget(keys);\n",
                "      // kept\n")),
        Mutation.of(
            "indexes of shards outlive a write",
            67,
            new Edit(
                "internal.pipeline.Client", "    shardIndexes.forget(keys);\n", "    // kept\n"),
            new Edit(
                "internal.pipeline.ByteSource",
                "return version == null ? store.get(key, range) : bytes(read(range));",
                "return store.get(key, range);")),
        Mutation.of(
            "bytes of a shard are read by the index of another version",
            67,
            new Edit(
                "internal.pipeline.ByteSource",
                "return version == null ? store.get(key, range) : bytes(read(range));",
                "return store.get(key, range);")),
        Mutation.of(
            "a partial write is stored whatever another program wrote meanwhile",
            77,
            new Edit(
                "internal.pipeline.GuardedChange",
                "if (!isGuarded || (isFound && read == null)) {",
                "if (true) {")),
        Mutation.of(
            "a partial write begins with fill value",
            2,
            new Edit(
                "internal.pipeline.ChunkWriter",
                "WholeChunk.checked(codec, target.read(WholeChunk.range(codec)))",
                "WholeChunk.checked(codec,"
                    + " target.read(WholeChunk.range(codec)).then(Mono.<Bytes>empty()))")),
        Mutation.of(
            "ordered chunks are handed on as they come",
            2,
            new Edit("internal.pipeline.Concurrently", "flatMapSequential", "flatMap")),
        Mutation.of(
            "a stream fetches all of its chunks at once",
            37,
            new Edit(
                "internal.pipeline.Concurrently",
                ".flatMap(part -> operation.part(() -> work.apply(part)), concurrency, 1)",
                ".flatMap(part -> operation.part(() -> work.apply(part)), 256, 1)")),
        Mutation.of(
            "merged ranges lose the last piece",
            476,
            new Edit(
                "internal.pipeline.ShardWindow",
                "ByteRange.Slice place = places.get(number);",
                "ByteRange.Slice place ="
                    + " number > 2 && number == inner.size() - 1 ? null : places.get(number);")));
  }
}
