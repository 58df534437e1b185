package dev.zarrreactive.testing;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.Arrays;
import java.util.function.Predicate;

/** Arrays of int32 at {@code a} that hold 1, 2, 3, ... */
public final class TestArrays {
  /** The elements of one chunk of a {@link #row}. */
  public static final int CHUNK = 4;

  /** The bytes of one chunk of a {@link #row}. */
  public static final int CHUNK_BYTES = 4 * Integer.BYTES;

  private TestArrays() {}

  /** One dimension of so many chunks of 4 elements, written. */
  public static ZarrArray row(int chunks, Store store, ZarrOptions options) {
    return counting(metadata(chunks), store, options);
  }

  /** The metadata of a {@link #row}. */
  public static ArrayMetadataBuilder metadata(int chunks) {
    return ArrayMetadata.v3(Shape.of((long) CHUNK * chunks), DataTypes.INT32)
        .uncompressed()
        .chunkShape(CHUNK);
  }

  /** An array, written; what was counted of that is forgotten. */
  public static ZarrArray counting(
      ArrayMetadataBuilder metadata, Store store, ZarrOptions options) {
    ZarrArray array = empty(metadata, store, options);
    array.write(Selection.all(), counting(array.shape())).block();
    forget(store);
    return array;
  }

  /** An array without a chunk. */
  public static ZarrArray empty(ArrayMetadataBuilder metadata, Store store, ZarrOptions options) {
    ZarrArray array = Zarr.hierarchy(store, options).createArray("a", metadata.build()).block();
    forget(store);
    return array;
  }

  public static ZarrArray open(Store store, ZarrOptions options) {
    return Zarr.hierarchy(store, options).openArray("a").block();
  }

  /** Forgets what was counted. */
  public static void forget(Store store) {
    if (store instanceof InstrumentedStore instrumented) {
      instrumented.counts().reset();
    }
  }

  /** The numbers from 1 on. */
  public static NdArray counting(Shape shape) {
    int[] numbers = new int[shape.elementCount().intValueExact()];
    Arrays.setAll(numbers, i -> i + 1);
    return NdArray.ofInts(DataTypes.INT32, shape, numbers);
  }

  public static NdArray ints(int... values) {
    return NdArray.ofInts(DataTypes.INT32, Shape.of(values.length), values);
  }

  /** Requests for chunks of the array. */
  public static Predicate<StoreRequest> chunks() {
    return request -> request.target().startsWith("a/c");
  }

  /** Requests for one chunk of a row. */
  public static Predicate<StoreRequest> chunk(int index) {
    return request -> request.target().equals("a/c/" + index);
  }
}
