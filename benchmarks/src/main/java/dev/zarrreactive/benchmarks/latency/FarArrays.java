package dev.zarrreactive.benchmarks.latency;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;

/** The arrays that are read, each alone in a store, of float32. */
public final class FarArrays {
  /** The path of each array in its store. */
  public static final String PATH = "a";

  private FarArrays() {}

  /** Returns a store with a row of chunks, each of {@code elements} elements. */
  static Store row(int chunks, int elements) {
    return row(MemoryStore.create(), chunks, elements);
  }

  /** Writes the same to a store that exists already, and returns the store. */
  public static Store row(Store store, int chunks, int elements) {
    return written(
        store,
        ArrayMetadata.v3(Shape.of((long) chunks * elements), DataTypes.FLOAT32)
            .chunkShape(elements)
            .uncompressed());
  }

  /** Returns a store with a row of shards, each of {@code inner} chunks of {@code elements}. */
  static Store shards(int shards, int inner, int elements) {
    long shard = (long) inner * elements;
    return written(
        MemoryStore.create(),
        ArrayMetadata.v3(Shape.of(shards * shard), DataTypes.FLOAT32)
            .chunkShape(elements)
            .shardShape(shard)
            .uncompressed());
  }

  /** One shard of 16 × 16 inner chunks, each of {@code side} × {@code side} elements. */
  static Store square(int side) {
    return written(
        MemoryStore.create(),
        ArrayMetadata.v3(Shape.of(16L * side, 16L * side), DataTypes.FLOAT32)
            .chunkShape(side, side)
            .shardShape(16L * side, 16L * side)
            .uncompressed());
  }

  /** An array of Zarr v2, of which only the metadata are there. */
  static Store zarr2() {
    Store store = MemoryStore.create();
    String document =
        "{\"zarr_format\":2,\"shape\":[4],\"chunks\":[4],\"dtype\":\"<f4\",\"compressor\":null,"
            + "\"fill_value\":0,\"order\":\"C\",\"filters\":null}";
    Bytes bytes = Bytes.wrap(document.getBytes(StandardCharsets.UTF_8));
    store.set(StoreKey.of(PATH + "/.zarray"), bytes).block();
    return store;
  }

  private static Store written(Store store, ArrayMetadataBuilder metadata) {
    Zarr.hierarchy(store)
        .createArray(PATH, metadata.build())
        .flatMap(
            array -> {
              Shape shape = array.metadata().shape();
              float[] data = new float[(int) shape.elementCount().longValueExact()];
              for (int i = 0; i < data.length; i++) {
                data[i] = i + 1;
              }
              return array.write(Selection.all(), NdArray.ofFloats(DataTypes.FLOAT32, shape, data));
            })
        .block();
    return store;
  }
}
