package dev.zarrreactive.cli.diff;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.ValuePlace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The chunks of two versions of an array that do not lie at the same place. Two snapshots of a
 * repository share the objects of all chunks that no commit between them has written: these are
 * equal, and are not read.
 */
final class UnequalPlaces {
  /** The most chunks that are compared by their places. */
  private static final int MOST = 1 << 20;

  /** The chunks whose places are asked for at a time. */
  private static final int TOGETHER = 4096;

  private UnequalPlaces() {}

  /**
   * Emits the chunks to compare by their elements, in C order; empty where places tell nothing: in
   * other stores, for chunks that are cut or stored in another way, and for too many of them.
   */
  static Mono<List<Selection>> list(ZarrArray one, ZarrArray other) {
    LocatedValues first = LocatedValues.of(one.store());
    LocatedValues second = LocatedValues.of(other.store());
    long chunks = SaturatingSize.count(one.chunkGrid().gridShape());
    return first == null
            || second == null
            || chunks > MOST
            || !one.metadata().chunkGrid().equals(other.metadata().chunkGrid())
            || !one.metadata().codecs().equals(other.metadata().codecs())
        ? Mono.empty()
        : Flux.range(0, (int) chunks)
            .buffer(TOGETHER)
            .concatMap(
                numbers ->
                    Mono.zip(places(first, one, numbers), places(second, other, numbers))
                        .map(both -> unequal(one, numbers, both.getT1(), both.getT2())),
                1)
            .flatMapIterable(selections -> selections)
            .collectList();
  }

  private static Mono<List<Optional<ValuePlace>>> places(
      LocatedValues store, ZarrArray array, List<Integer> numbers) {
    ChunkKeyEncoding encoding = ChunkKeyEncoding.of(array.metadata().chunkKeyEncoding());
    List<StoreKey> keys = new ArrayList<>(numbers.size());
    for (int number : numbers) {
      keys.add(array.metadata().chunkKey(array.path(), encoding.encode(index(array, number))));
    }
    return store.places(keys);
  }

  private static List<Selection> unequal(
      ZarrArray array,
      List<Integer> numbers,
      List<Optional<ValuePlace>> first,
      List<Optional<ValuePlace>> second) {
    List<Selection> unequal = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i++) {
      if (!areSame(first.get(i).orElse(null), second.get(i).orElse(null))) {
        unequal.add(chunk(array, index(array, numbers.get(i))));
      }
    }
    return unequal;
  }

  /** Returns true for the same bytes of the same object; a repository may be opened twice. */
  private static boolean areSame(@Nullable ValuePlace one, @Nullable ValuePlace other) {
    return one != null
        && other != null
        && one.range().equals(other.range())
        && one.object().toString().equals(other.object().toString())
        && one.object().condition().equals(other.object().condition());
  }

  /** Returns the index of the chunk with a number in C order. */
  private static long[] index(ZarrArray array, int number) {
    Shape grid = array.chunkGrid().gridShape();
    long[] index = new long[grid.rank()];
    long rest = number;
    for (int d = index.length - 1; d >= 0; d--) {
      index[d] = rest % grid.extent(d);
      rest /= grid.extent(d);
    }
    return index;
  }

  private static Selection chunk(ZarrArray array, long[] index) {
    long[] start = array.chunkGrid().chunkStart(index);
    long[] extents = array.chunkGrid().chunkShape(index).toArray();
    Arrays.setAll(
        extents, d -> Math.max(0, Math.min(extents[d], array.shape().extent(d) - start[d])));
    return Selection.box(start, extents);
  }
}
