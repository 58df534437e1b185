package dev.zarrreactive.server;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.Store;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The versions of a store as they are at one instant, such as those of an Icechunk repository, for
 * a server: see {@link ZarrServer#of(StoreVersions)}. Thread-safe.
 *
 * <p>The text of a version is {@code branch.NAME}, {@code tag.NAME}, or the id of a snapshot, as in
 * a URL pipeline. An id has letters and digits alone.
 */
public interface StoreVersions {
  /**
   * A branch or a tag.
   *
   * @param snapshot the id of its snapshot
   */
  record Named(String name, String snapshot) {}

  /**
   * A state of the store that never changes.
   *
   * @param parent the id of the snapshot before; null for the first one
   * @param time when it was written
   * @param message of whoever has written it
   * @param metadata further details of it
   */
  record Snapshot(
      String id, @Nullable String parent, Instant time, String message, JsonObject metadata) {}

  /** Returns the text of the version that is served where a request names none. */
  String served();

  /** Emits the branches by name; a {@code StoreCapabilityException} where they cannot be listed. */
  Flux<Named> branches();

  /** Emits the tags by name; a {@code StoreCapabilityException} where they cannot be listed. */
  Flux<Named> tags();

  /** Emits the snapshot of a version; empty where there is none. */
  Mono<Snapshot> find(String version);

  /** Emits the snapshot of an id and those before it, newest first. */
  Flux<Snapshot> history(String id);

  /**
   * Emits the store of a snapshot by its id; an error where there is none. It holds nothing that
   * must be closed: a server forgets a store that nobody has asked for lately, while responses may
   * still read from it.
   */
  Mono<Store> open(String id);

  /** Emits the versions of now. A server asks for them at most once a second. */
  Mono<StoreVersions> refresh();
}
