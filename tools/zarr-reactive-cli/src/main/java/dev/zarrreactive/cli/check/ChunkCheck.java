package dev.zarrreactive.cli.check;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.describe.ChunkLayout;
import dev.zarrreactive.cli.stored.ArrayKeys;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.planning.SaturatingSize;
import java.util.Arrays;
import java.util.function.LongConsumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Decodes every stored chunk of an array. A shard is decoded chunk by chunk; if it has a fault,
 * each of its chunks is read alone, so that every bad one is a finding.
 */
final class ChunkCheck {
  private static final int CONCURRENCY = 8;

  private final ZarrArray array;
  private final boolean canList;
  private final LongConsumer onChunk;
  private final ArrayKeys keys;
  private final ChunkLayout layout;

  /**
   * Creates a check.
   *
   * @param canList whether the store lists its keys; else every chunk of the grid is asked for
   * @param onChunk is told the decoded bytes of each chunk before it is read, on any thread
   */
  ChunkCheck(ZarrArray array, boolean canList, LongConsumer onChunk) {
    this.array = array;
    this.canList = canList;
    this.onChunk = onChunk;
    this.keys = ArrayKeys.of(array);
    this.layout = ChunkLayout.of(array);
  }

  Flux<Finding> findings() {
    return Concurrently.map(indices(), CONCURRENCY, this::chunk);
  }

  private Flux<long[]> indices() {
    return canList
        ? array.store().listValues(keys.prefix()).mapNotNull(value -> keys.index(value.key()))
        : grid(array.chunkGrid().gridShape());
  }

  /** Returns the indices of a grid in C order. */
  private static Flux<long[]> grid(Shape shape) {
    return shape.isEmpty()
        ? Flux.empty()
        : Flux.generate(
            () -> new long[shape.rank()],
            (next, sink) -> {
              sink.next(next.clone());
              int d = shape.rank() - 1;
              while (d >= 0 && next[d] == shape.extent(d) - 1) {
                next[d--] = 0;
              }
              if (d < 0) {
                sink.complete();
              } else {
                next[d]++;
              }
              return next;
            });
  }

  private Flux<Finding> chunk(long[] index) {
    long[] start = array.chunkGrid().chunkStart(index);
    long[] extent = array.chunkGrid().chunkShape(index).toArray();
    for (int d = 0; d < extent.length; d++) {
      extent[d] = Math.min(extent[d], array.shape().extent(d) - start[d]);
    }
    onChunk.accept(SaturatingSize.bytes(Shape.of(extent), array.dataType()));
    return decode(start, extent)
        .onErrorResume(
            ZarrException.class,
            error ->
                layout.isSharded()
                    ? inner(start, extent).switchIfEmpty(Flux.just(finding(error)))
                    : Flux.just(finding(error)));
  }

  /** Completes after the decoding of every chunk in a box. */
  private Flux<Finding> decode(long[] start, long[] extent) {
    return array.chunks(Selection.box(start, extent)).then(Mono.<Finding>empty()).flux();
  }

  /** Reads the chunks of a shard one after the other. */
  private Flux<Finding> inner(long[] start, long[] extent) {
    long[] size = layout.innermost().toArray();
    long[] counts = new long[size.length];
    Arrays.setAll(counts, d -> -Math.floorDiv(-extent[d], size[d]));
    return grid(Shape.of(counts))
        .concatMap(
            index -> {
              long[] from = new long[size.length];
              long[] length = new long[size.length];
              Arrays.setAll(from, d -> start[d] + index[d] * size[d]);
              Arrays.setAll(length, d -> Math.min(size[d], start[d] + extent[d] - from[d]));
              return decode(from, length)
                  .onErrorResume(ZarrException.class, error -> Flux.just(finding(error)));
            },
            0)
        .distinct(Finding::text); // a broken index is one fault of all chunks
  }

  private Finding finding(ZarrException error) {
    return Finding.of(array.path(), error);
  }
}
