package dev.zarrreactive.dataset.ome;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Fills an array from another one that is larger by whole factors: block by block, in the order of
 * chunks or shards, each block as large as a chunk or smaller.
 */
final class PyramidWriting {
  /** The most bytes of the elements that one block is made of. */
  private static final long LARGEST_BLOCK = 16L << 20;

  private final ZarrArray source;
  private final ZarrArray target;
  private final List<Integer> factors;
  private final CellReduction reduction;
  private final Shape inner;
  private final boolean isSharded;
  private final boolean hasIndexAtEnd;

  PyramidWriting(
      ZarrArray source, ZarrArray target, List<Integer> factors, OmeDownsampling method) {
    this.source = source;
    this.target = target;
    this.factors = factors;
    this.reduction = new CellReduction(method, factors);
    List<NamedConfiguration> codecs = target.metadata().codecs();
    this.isSharded = codecs.size() == 1 && codecs.get(0).name().equals("sharding_indexed");
    if (isSharded) {
      NamedConfiguration sharding = codecs.get(0);
      this.inner = Shape.of(sharding.member("chunk_shape").integers(1, Long.MAX_VALUE));
      LocatedJson place = sharding.optional("index_location");
      this.hasIndexAtEnd = place == null || place.string().equals("end");
    } else {
      this.inner = target.chunkGrid().largestChunkShape();
      this.hasIndexAtEnd = false;
    }
  }

  /** Writes the whole target. */
  Mono<Void> write() {
    Shape shards = target.chunkGrid().largestChunkShape();
    long shard = bytes(shards.toArray());
    long budget = target.options().maxInFlightBytes();
    Flux<long[]> indices = indices(target.chunkGrid().gridShape().toArray());
    if (isSharded && hasIndexAtEnd && shard > budget / 4) {
      return indices.concatMap(index -> target.writeShard(index, blocks(index))).then();
    }
    return target.write(indices.concatMap(this::blocks));
  }

  private long bytes(long[] extents) {
    long bytes = Math.max(1, target.dataType().itemSize());
    for (long extent : extents) {
      bytes = ByteBudget.product(bytes, Math.max(1, extent));
    }
    return bytes;
  }

  /** Returns all indices of a grid, the last dimension fastest. */
  private static Flux<long[]> indices(long[] counts) {
    for (long count : counts) {
      if (count == 0) {
        return Flux.empty();
      }
    }
    return Flux.generate(
        () -> new long[counts.length],
        (next, sink) -> {
          sink.next(next.clone());
          int d = counts.length - 1;
          while (d >= 0 && ++next[d] == counts[d]) {
            next[d--] = 0;
          }
          if (d < 0) {
            sink.complete();
          }
          return next;
        });
  }

  /** Returns the blocks of one chunk or shard, made on the threads of the codecs. */
  private Flux<Chunk> blocks(long[] index) {
    long[] start = target.chunkGrid().chunkStart(index);
    long[] extents = target.chunkGrid().chunkShape(index).toArray();
    long[] block = blockShape();
    long[] counts = new long[extents.length];
    for (int d = 0; d < counts.length; d++) {
      long end = Math.min(start[d] + extents[d], target.shape().extent(d));
      counts[d] = Math.max(0, (end - start[d] + block[d] - 1) / block[d]);
    }
    return Concurrently.mapInOrder(
        indices(counts),
        concurrency(block),
        at -> {
          long[] from = new long[counts.length];
          long[] to = new long[counts.length];
          for (int d = 0; d < counts.length; d++) {
            from[d] = start[d] + at[d] * block[d];
            to[d] =
                Math.min(
                    Math.min(from[d] + block[d], start[d] + extents[d]), target.shape().extent(d));
          }
          return made(index, from, to);
        });
  }

  private int concurrency(long[] block) {
    long most = target.options().maxInFlightBytes() / 4 / Math.max(1, sourceBytes(block));
    return (int) Math.max(1, Math.min(target.options().maxConcurrency(), most));
  }

  private long sourceBytes(long[] block) {
    long bytes = bytes(block);
    for (int factor : factors) {
      bytes = ByteBudget.product(bytes, factor);
    }
    return bytes;
  }

  /** Returns the inner chunk, or a whole part of it where it comes from many elements. */
  private long[] blockShape() {
    long[] block = inner.toArray();
    for (int d = 0; d < block.length; d++) {
      block[d] = Math.max(1, Math.min(block[d], target.shape().extent(d)));
    }
    for (int d = 0; d < block.length && !isSharded; d++) {
      while (sourceBytes(block) > LARGEST_BLOCK && block[d] > 1) {
        block[d] = (block[d] + 1) / 2;
      }
    }
    return block;
  }

  private Mono<Chunk> made(long[] index, long[] first, long[] end) {
    DimensionSelection[] cells = new DimensionSelection[first.length];
    List<Axis> axes = new ArrayList<>();
    for (int d = 0; d < cells.length; d++) {
      long from = first[d] * factors.get(d);
      long to = Math.min(source.shape().extent(d), end[d] * factors.get(d));
      cells[d] = DimensionSelection.slice(from, to);
      axes.add(new Axis.Range(first[d], end[d] - first[d], 1, false));
    }
    return source
        .read(Selection.of(cells))
        .map(
            elements -> {
              NdArray reduced = reduction.of(elements);
              return new Chunk(index, new ResolvedSelection.Orthogonal(axes), reduced);
            });
  }

  /** Returns the factors of a copy. */
  static List<Integer> ones(int rank) {
    return Collections.nCopies(rank, 1);
  }
}
