package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;

/** Documents and chunks for sessions, without the library of arrays. */
final class SessionTree {
  static final String GROUP = "{\"zarr_format\":3,\"node_type\":\"group\"}";

  private SessionTree() {}

  /** The document of an array of one dimension with chunks of one byte. */
  static String array(long length) {
    return "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":["
        + length
        + "],\"data_type\":\"uint8\",\"fill_value\":0,\"chunk_grid\":{\"name\":\"regular\","
        + "\"configuration\":{\"chunk_shape\":[1]}},\"chunk_key_encoding\":{\"name\":\"default\"},"
        + "\"codecs\":[{\"name\":\"bytes\"}]}";
  }

  static void put(Store store, String key, String value) {
    await(store.set(StoreKey.of(key), Bytes.utf8(value)));
  }

  static String get(Store store, String key) {
    Bytes value = await(store.get(StoreKey.of(key)));
    return value == null
        ? "nothing"
        : new String(value.toByteArray(), java.nio.charset.StandardCharsets.UTF_8);
  }

  static void erase(Store store, String key) {
    await(store.erase(StoreKey.of(key)));
  }
}
