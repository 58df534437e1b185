package dev.zarrreactive.fuzz;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.interop.Fixture;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A store in memory, of which one value at a time is another. */
final class FuzzStore {
  private static final List<String> DOCUMENTS =
      List.of("zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata");

  private final String name;
  private final Map<String, Bytes> values = new TreeMap<>();
  private final List<String> documents = new ArrayList<>();
  private final List<String> chunks = new ArrayList<>();
  private final Store store;

  private FuzzStore(String name, Store store) {
    this.name = name;
    this.store = store;
    for (StoreKey key : store.list().collectList().blockOptional().orElseThrow()) {
      values.put(key.value(), store.get(key).block());
      (isDocument(key.value()) ? documents : chunks).add(key.value());
    }
  }

  static FuzzStore of(Fixture fixture) {
    return new FuzzStore(fixture.name(), fixture.inMemory());
  }

  static FuzzStore of(String name, MemoryStore store) {
    return new FuzzStore(name, store);
  }

  private static boolean isDocument(String key) {
    String name = key.substring(key.lastIndexOf('/') + 1);
    return DOCUMENTS.contains(name) || name.endsWith(".json");
  }

  /** True where there is metadata to change. */
  boolean hasDocuments() {
    return !documents.isEmpty();
  }

  /** True where there is something else to change. */
  boolean hasChunks() {
    return !chunks.isEmpty();
  }

  /** The keys of metadata. */
  List<String> documents() {
    return documents;
  }

  /** The key of some metadata. */
  String document(Random random) {
    return documents.get(random.nextInt(documents.size()));
  }

  /** The key of something else. */
  String chunk(Random random) {
    return chunks.get(random.nextInt(chunks.size()));
  }

  byte[] value(String key) {
    return values.get(key).toByteArray();
  }

  /** Works with {@code value} at {@code key}. */
  void with(String key, byte[] value, Consumer<Store> work) {
    StoreKey at = StoreKey.of(key);
    store.set(at, Bytes.wrap(value)).block();
    try {
      work.accept(store);
    } finally {
      store.set(at, values.get(key)).block();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
