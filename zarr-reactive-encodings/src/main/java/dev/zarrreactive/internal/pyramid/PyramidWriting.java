package dev.zarrreactive.internal.pyramid;

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
import dev.zarrreactive.pyramid.Downsampling;
import java.util.ArrayList;
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
  private final PixelReduction reduction;
  private final Shape inner;
  private final boolean isSharded;
  private final boolean hasIndexAtEnd;

  PyramidWriting(ZarrArray source, ZarrArray target, List<Integer> factors, Downsampling method) {
    this.source = source;
    this.target = target;
    this.factors = factors;
    this.reduction = new PixelReduction(method, factors);
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

  /** A part of a chunk or of a shard of the target. */
  private static final class Part {
    final long[] index;
    final long[] from;
    final long[] to;

    Part(long[] index, long[] from, long[] to) {
      this.index = index;
      this.from = from;
      this.to = to;
    }
  }

  /** Writes the whole target. */
  Mono<Void> write() {
    Shape shards = target.chunkGrid().largestChunkShape();
    long shard = bytes(shards.toArray());
    long budget = target.options().maxInFlightBytes();
    Flux<long[]> indices = indices(target.chunkGrid().gridShape().toArray());
    if (isSharded && hasIndexAtEnd && shard > budget / 4) {
      return indices.concatMap(index -> target.writeShard(index, made(parts(index)))).then();
    }
    return target.write(made(indices.concatMap(this::parts)));
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

  /** Returns the parts of one chunk or shard. */
  private Flux<Part> parts(long[] index) {
    long[] start = target.chunkGrid().chunkStart(index);
    long[] extents = target.chunkGrid().chunkShape(index).toArray();
    long[] block = blockShape();
    long[] counts = new long[extents.length];
    for (int d = 0; d < counts.length; d++) {
      extents[d] = Math.min(extents[d], target.shape().extent(d) - start[d]);
      counts[d] = Math.max(0, (extents[d] + block[d] - 1) / block[d]);
    }
    return indices(counts)
        .map(
            at -> {
              Part part = new Part(index, new long[counts.length], new long[counts.length]);
              for (int d = 0; d < counts.length; d++) {
                part.from[d] = start[d] + at[d] * block[d];
                part.to[d] = Math.min(part.from[d] + block[d], start[d] + extents[d]);
              }
              return part;
            });
  }

  /** Makes the chunks of parts, in their order, on the threads of the codecs. */
  private Flux<Chunk> made(Flux<Part> parts) {
    return Concurrently.mapInOrder(parts, concurrency(blockShape()), this::made);
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

  private Mono<Chunk> made(Part part) {
    DimensionSelection[] cells = new DimensionSelection[part.from.length];
    List<Axis> axes = new ArrayList<>();
    for (int d = 0; d < cells.length; d++) {
      long from = part.from[d] * factors.get(d);
      long to = Math.min(source.shape().extent(d), part.to[d] * factors.get(d));
      cells[d] = DimensionSelection.slice(from, to);
      axes.add(new Axis.Range(part.from[d], part.to[d] - part.from[d], 1, false));
    }
    return source
        .read(Selection.of(cells))
        .map(
            elements -> {
              NdArray reduced = reduction.of(elements);
              return new Chunk(part.index, new ResolvedSelection.Orthogonal(axes), reduced);
            });
  }
}
