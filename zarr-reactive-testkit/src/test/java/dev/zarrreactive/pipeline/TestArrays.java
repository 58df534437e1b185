package dev.zarrreactive.pipeline;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Selection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOperation;
import dev.zarrreactive.store.StoreRequest;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.function.Predicate;

/** Arrays of int32 that hold 1, 2, 3, ... */
final class TestArrays {
  private TestArrays() {}

  /** A row of {@code chunks} chunks of 4 elements at {@code a}. */
  static ZarrArray row(int chunks, Store store, ZarrOptions options) {
    return counting(
        new ArrayMetadataBuilder(shape(4L * chunks), DataTypes.INT32).chunkShape(4),
        store,
        options);
  }

  /** An array at {@code a}, written. */
  static ZarrArray counting(ArrayMetadataBuilder metadata, Store store, ZarrOptions options) {
    ZarrArray array = Zarr.hierarchy(store, options).createArray("a", metadata.build()).block();
    array.write(Selection.all(), counting(array.shape())).block();
    if (store instanceof InstrumentedStore instrumented) {
      instrumented.counts().reset();
    }
    return array;
  }

  static Shape shape(long... extents) {
    return Shape.of(extents);
  }

  /** The numbers from 1 on. */
  static NdArray counting(Shape shape) {
    int[] numbers = new int[shape.elementCount().intValueExact()];
    java.util.Arrays.setAll(numbers, i -> i + 1);
    return NdArray.ofInts(DataTypes.INT32, shape, numbers);
  }

  /** Requests for chunks. */
  static Predicate<StoreRequest> chunks() {
    return request -> request.target().contains("/c");
  }

  /** Requests for the value of one key. */
  static Predicate<StoreRequest> get(String key) {
    return request -> request.operation() == StoreOperation.GET && request.target().equals(key);
  }
}
