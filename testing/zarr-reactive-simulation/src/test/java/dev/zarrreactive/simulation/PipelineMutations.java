package dev.zarrreactive.simulation;

import dev.zarrreactive.simulation.Mutation.Edit;
import java.util.stream.Stream;

/** Faults of what reads and writes chunks. */
final class PipelineMutations {
  private PipelineMutations() {}

  static Stream<Mutation> all() {
    return Stream.of(
        Mutation.of(
            "a fetch is joined before its bytes are leased",
            149,
            new Edit(
                "internal.read.Fetcher",
                "return awaited == null\n        ? request(fetch)",
                "awaited = null;\n    return awaited == null\n        ? request(fetch)"),
            new Edit(
                "internal.read.Fetcher",
                "      get(fetch).subscribe(",
                "      java.util.Optional.ofNullable(fetch.lease().acquire())"
                    + ".map(ByteBudget.Lease::grant).orElse(Mono.empty())"
                    + ".then(get(fetch)).subscribe(")),
        Mutation.of(
            "a key's lock is handed on while a cancelled write is under way",
            6120,
            new Edit(
                "internal.flow.KeyLocks",
                "if (!storing) {\n              line.remove(this);\n            }",
                "line.remove(this);")),
        Mutation.of(
            "writers of one chunk do not take turns",
            0,
            new Edit(
                "internal.flow.KeyLocks",
                "if (!over && !refused[0]) {\n                    line.add(this);\n"
                    + "                  }",
                "sink.success();")),
        Mutation.of(
            "a cancelled stream keeps its bytes",
            0,
            new Edit("internal.read.ReadOperation", "    share.close();\n", "    // kept\n")),
        Mutation.of(
            "a decoded chunk is handed on without its bytes given back",
            16,
            new Edit(
                "internal.read.ChunkSink",
                "    delivery.lease().handedOn(delivery.bytes());\n",
                "    // kept\n")),
        Mutation.of(
            "bytes are leased beyond the bound",
            36,
            new Edit(
                "internal.flow.ByteBudget",
                "return free >= 0\n          && (held == 0 || held + lease.charge <= 3 * free)",
                "return true")),
        Mutation.of(
            "the excess over the bound has no end",
            0,
            new Edit(
                "internal.flow.ByteBudget",
                "? heldInTurn <= common || sum(heldInTurn, bytes) <= sum(common, total / 4)",
                "? true")),
        Mutation.of(
            "a part of a chunk is decoded from the chunk's first element on",
            ScenarioGenerator.DECODING,
            new Edit("internal.read.ArraySink", "elements.slot(first)", "elements.slot(0)")),
        Mutation.of(
            "chunks that lie in objects are handed on without their bytes given back",
            ScenarioGenerator.REFERRING,
            new Edit(
                "internal.read.LocatedChunks",
                "        chunk.piece().held(decodedEach);\n",
                "        // not noted\n")),
        Mutation.of(
            "readers of chunks in objects join the requests for other chunks",
            ScenarioGenerator.REFERRING,
            new Edit(
                "internal.read.Fetch", "return piece.chunk().number();", "return piece.inner();")),
        Mutation.of(
            "a repository does not see what was committed",
            ScenarioGenerator.VERSIONED,
            new Edit(
                "icechunk.IcechunkRepository",
                "return refs.refresh().map(",
                "return Mono.just(refs).map(")),
        Mutation.of(
            "a chunk is looked for in the first manifest that may have it",
            ScenarioGenerator.VERSIONED,
            new Edit(
                "icechunk.SnapshotStore",
                "return array.manifestOf(index, manifest + 1) >= 0;",
                "return false;")),
        Mutation.of(
            "a chunk begins where its object does",
            ScenarioGenerator.VERSIONED,
            new Edit(
                "icechunk.SnapshotStore",
                "new ByteRange.Slice(own.offset(), own.length())",
                "new ByteRange.Slice(0, own.length())")),
        Mutation.of(
            "a listing has the chunks of one manifest",
            ScenarioGenerator.VERSIONED,
            new Edit(
                "icechunk.SnapshotStore",
                "Flux.range(0, array.manifests()).filter(number -> array.mayHave(number,"
                    + " beginning))",
                "Flux.range(0, 1)")),
        Mutation.of(
            "manifests of a repository are kept as one",
            ScenarioGenerator.VERSIONED,
            new Edit(
                "icechunk.RepositoryFiles",
                "cache.find(\"manifests/\" + id)",
                "cache.find(\"manifests/\")"),
            new Edit(
                "icechunk.RepositoryFiles",
                "cache.lookUp(key, () -> load(key, decoder))",
                "cache.lookUp(key.startsWith(\"manifests\") ? \"manifests/\" : key,"
                    + " () -> load(key, decoder))")),
        Mutation.of(
            "decoded chunks outlive a write",
            27,
            new Edit(
                "internal.context.HierarchyContext",
                "    decodedChunks.forget(key);\n",
                "    // kept\n"),
            new Edit(
                "internal.context.HierarchyContext",
                "    decodedChunks.forget(keys);\n",
                "    // kept\n")),
        Mutation.of(
            "bytes of a shard are read by the index of another version",
            67,
            new Edit(
                "internal.read.Fetcher",
                "    Version version = fetch.version();\n",
                "    Version version = null;\n")),
        Mutation.of(
            "the index of a replaced shard is not read again",
            593,
            new Edit(
                "internal.read.OpenShard",
                "            indexes.remove(key, entry);\n",
                "            // kept\n")),
        Mutation.of(
            "a retry waits for a lease of its own",
            963,
            new Edit(
                "internal.read.OpenShard",
                "return lookUp(null).map(now -> replace(old, now));",
                "return lookUp(operation.indexShare()).map(now -> replace(old, now));")),
        Mutation.of(
            "a partial write is stored whatever another program wrote meanwhile",
            79,
            new Edit(
                "internal.context.ConditionalUpdate",
                "if (!isGuarded || (isFound && read == null)) {",
                "if (true) {")),
        Mutation.of(
            "an append takes a chunk at the end for its own",
            0,
            new Edit(
                "internal.write.LockedChunk",
                "if (elements.isWhole(SelectedElements.endless(array.grid().rank()))) {",
                "if (elements.isWhole(array.metadata().shape())) {")),
        Mutation.of(
            "a partial write begins with fill value",
            2,
            new Edit(
                "internal.write.LockedChunk",
                "storeAmong(target, elements, codec, old)))",
                "storeAmong(target, elements, codec, Optional.empty())))")),
        Mutation.of(
            "parts that arrive twice complete a chunk",
            ScenarioGenerator.GROWING,
            new Edit(
                "internal.planning.ElementSet",
                "size += Long.bitCount(bits & ~words[at / Long.SIZE]);",
                "size += Long.bitCount(bits);")),
        Mutation.of(
            "gathered chunks replace what was stored",
            ScenarioGenerator.GROWING,
            new Edit(
                "internal.write.GatheredElements",
                "return arrived.size() >= inside;",
                "return arrived.size() > 0;")),
        Mutation.of(
            "what is incomplete at the end of a stream is dropped",
            ScenarioGenerator.GROWING,
            new Edit(
                "internal.write.ChunkGatherer",
                "Flux.fromIterable(List.copyOf(begun.values()))",
                "Flux.empty()")),
        Mutation.of(
            "an array that is made smaller keeps what it shall erase",
            ScenarioGenerator.GROWING,
            new Edit(
                "internal.write.ArrayResizing",
                "return outside != ShrinkMode.KEEP &&",
                "return outside == ShrinkMode.KEEP &&")),
        Mutation.of(
            "ordered chunks are handed on as they come",
            1,
            new Edit(
                "internal.read.ChunkSink",
                "? decoded.concatMapIterable(new Sorting<>(ahead, Delivery::number), Integer.MAX_VALUE)",
                "? decoded")),
        Mutation.of(
            "a stream fetches all of its chunks at once",
            49,
            new Edit(
                "internal.read.ChunkSink",
                "this.ahead = operation.concurrency();",
                "this.ahead = 256;")),
        Mutation.of(
            "a second request that finds nothing leaves the bytes of the first",
            ScenarioGenerator.CROWDED + 19,
            new Edit(
                "internal.read.Fetch",
                "      shared = fetch;\n      bytes = null;\n",
                "shared = fetch;")),
        Mutation.of(
            "who waits for a missing shard asks for it after the other",
            ScenarioGenerator.CROWDED,
            new Edit(
                "internal.read.Fetcher",
                "      shared.answer(shard.open(shared));\n",
                "if (shard.bytes() != null) {\n      shared.answer(shard.open(shared));\n    }\n")),
        Mutation.of(
            "who waits for a request that fails makes one of its own after the other",
            ScenarioGenerator.CROWDED,
            new Edit(
                "internal.context.SharedFetches",
                "others.fail(SharedFailure.forOne(error));",
                "others.answer(null);")),
        Mutation.of(
            "who waits for an index that fails asks for it once more",
            ScenarioGenerator.CROWDED,
            new Edit(
                "internal.context.ShardIndexCache",
                "first.answer() == LoadingCache.Answer.SHARED && !key.isWholeValue()",
                "first.answer() == LoadingCache.Answer.SHARED"),
            new Edit(
                "internal.context.ShardIndexCache",
                "onErrorResume(SharedFailure::dependsOnRange, e -> lookUp(key, load).value())",
                "onErrorResume(e -> find(key, load))")),
        Mutation.of(
            "a whole chunk is read by every reader for itself",
            ScenarioGenerator.CROWDED,
            new Edit(
                "internal.read.Fetcher",
                "for (int i = 0; i < inner.length; i++) {\n        inner[i] = fetch.numberOf(wanted.get(i));",
                "for (int i = 0; i < inner.length; i++) {\n"
                    + "        inner[i] = fetch.numberOf(wanted.get(i)) + System.identityHashCode(this);")),
        Mutation.of(
            "coalesced ranges lose the last piece",
            181,
            new Edit(
                "internal.read.OpenShard",
                "List<List<Piece>> served = merged.byRequest(stored);",
                "if (stored.size() > 3) {\n      stored.get(stored.size() - 1).locate(null);\n    }\n"
                    + "    List<List<Piece>> served = merged.byRequest(stored);")));
  }
}
