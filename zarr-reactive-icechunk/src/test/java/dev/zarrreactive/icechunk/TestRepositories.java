package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.icechunk.ConfiguredRepository;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.Store;
import java.util.Objects;

/** Repositories that this library makes for tests. */
final class TestRepositories {
  private TestRepositories() {}

  /** Makes a repository with one number in its configuration. */
  static IcechunkRepository create(Store store, String name, long value) {
    return create(store, JsonObject.EMPTY.with(name, value));
  }

  /** Makes a repository with a configuration, as another program would leave it. */
  static IcechunkRepository create(Store store, JsonObject config) {
    await(Icechunk.create(store));
    StoreKey key = StoreKey.of("repo");
    Bytes made = Objects.requireNonNull(await(store.get(key)));
    await(store.set(key, ConfiguredRepository.of(made, config)));
    return await(Icechunk.open(store));
  }
}
