package dev.zarrreactive.hierarchy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import java.nio.charset.StandardCharsets;

/** Documents put into a store and taken out of it. */
final class Documents {
  static final String GROUP = "{\"zarr_format\":3,\"node_type\":\"group\"}";
  static final ArrayMetadata ARRAY =
      ArrayMetadata.v3(Shape.of(4), DataTypes.INT8).uncompressed().chunkShape(2).build();

  private Documents() {}

  static void put(Store store, String key, String text) {
    store.set(StoreKey.of(key), Bytes.utf8(text)).block();
  }

  static void putGroup(Store store, String path) {
    put(store, document(path), GROUP);
  }

  static void putArray(Store store, String path) {
    put(store, document(path), ARRAY.document().toString());
  }

  private static String document(String path) {
    return path.isEmpty() ? "zarr.json" : path + "/zarr.json";
  }

  /** The text at the key, or null. */
  static String text(Store store, String key) {
    Bytes bytes = store.get(StoreKey.of(key)).block();
    return bytes == null ? null : new String(bytes.toByteArray(), StandardCharsets.UTF_8);
  }
}
