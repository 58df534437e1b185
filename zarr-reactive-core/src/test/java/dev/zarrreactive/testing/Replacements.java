package dev.zarrreactive.testing;

import dev.zarrreactive.ShardReading;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What another program makes of the one shard of an array of 64 × 64: other numbers in each version
 * of it, and fill value in its first rows, so that all that is behind them has moved.
 */
public final class Replacements {
  public static final int FILL = -1;
  private static final int SIDE = 64;
  private static final StoreKey KEY = StoreKey.of("a/c/0/0");

  private final MemoryStore memory;
  private final ArrayMetadataBuilder metadata;

  /** Replacements of a shard in {@code memory}. */
  public Replacements(MemoryStore memory, ArrayMetadataBuilder metadata) {
    this.memory = memory;
    this.metadata = metadata.fillValue(JsonNumber.of(FILL));
  }

  /** The array's metadata. */
  public ArrayMetadataBuilder metadata() {
    return metadata;
  }

  /** Puts a version of the shard in the place of the one that is there. */
  public void set(int version, int missingRows) {
    replacing(version, missingRows).block();
  }

  /** As {@link #set}, when it is subscribed to; the shard is made now. */
  public Mono<Void> replacing(int version, int missingRows) {
    Bytes shard = shard(version, missingRows);
    return shard == null ? memory.erase(KEY) : memory.set(KEY, shard);
  }

  /** The bytes of a version; null where nothing is in it. */
  private @Nullable Bytes shard(int version, int missingRows) {
    MemoryStore elsewhere = MemoryStore.create();
    ZarrArray array = Zarr.hierarchy(elsewhere).createArray("a", metadata.build()).block();
    array.write(Selection.all(), numbers(version, missingRows)).block();
    return elsewhere.get(KEY).block();
  }

  /** All elements of a version. */
  public static NdArray numbers(int version, int missingRows) {
    int[] values = new int[SIDE * SIDE];
    Arrays.setAll(values, i -> number(version, missingRows, i / SIDE, i % SIDE));
    return NdArray.ofInts(DataTypes.INT32, Shape.of(SIDE, SIDE), values);
  }

  /** One element of a version. */
  public static int number(int version, int missingRows, int row, int column) {
    return row < missingRows ? FILL : version * 10_000 + row * SIDE + column;
  }

  /** Which version an element is of. */
  public static int version(int number) {
    return number / 10_000;
  }

  /** Some of the elements of a version. */
  public static int[] block(
      int version, int missingRows, int row, int column, int height, int width) {
    int[] values = new int[height * width];
    Arrays.setAll(values, i -> number(version, missingRows, row + i / width, column + i % width));
    return values;
  }

  /** How shards are read where nothing is merged. */
  public static ShardReading oneByOne() {
    return ShardReading.defaults().withCoalescing(Coalescing.none());
  }
}
