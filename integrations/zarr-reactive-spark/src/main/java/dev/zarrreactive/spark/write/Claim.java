package dev.zarrreactive.spark.write;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.StagedStore;
import dev.zarrreactive.store.Store;
import java.io.Serializable;
import java.util.UUID;
import reactor.core.publisher.Mono;

/**
 * The mark of a write that is under way, beside the metadata of the node: {@code
 * zarr.json.partial}, as a copy marks its nodes, which no reader takes for a node. Two writes never
 * have it at the same time. A task looks for it before it stores a unit, so that a task that
 * outlives its job stores nothing. A session of a repository needs no mark, since nobody sees it.
 *
 * @param path the node
 * @param text the document, with a number of its own
 */
record Claim(String path, String text) implements Serializable {
  private static final long serialVersionUID = 1;
  private static final String SUFFIX = ".partial";
  private static final String OVERWRITE = "mode(\"overwrite\") erases what is there";

  static Claim of(String path) {
    JsonObject attributes =
        JsonObject.EMPTY.with("zarr-reactive-spark", UUID.randomUUID().toString());
    return new Claim(path, GroupMetadata.of(attributes).document().toPrettyString());
  }

  StoreKey key() {
    return NodePath.of(path).key(NodePath.DOCUMENT + SUFFIX);
  }

  /**
   * Sets the mark, on condition that there is none.
   *
   * @param help the words on what to do about the mark of a write that was cut
   */
  Mono<Void> take(Store store, String help) {
    if (StagedStore.isOne(store)) {
      return Mono.empty();
    }
    return store
        .set(key(), Bytes.utf8(text), Precondition.ABSENT)
        .onErrorMap(
            PreconditionFailedException.class,
            e ->
                new NodeExistsException(
                    "another write is under way here, or one was cut; " + help,
                    Location.ofKey(key().value())));
  }

  /**
   * Marks the place of a new node; fails if another write has marked it, or keys are there, which
   * would become chunks of the node.
   */
  Mono<Void> takeEmpty(Store store) {
    return take(store, OVERWRITE).then(Mono.defer(() -> checkEmpty(store)));
  }

  private Mono<Void> checkEmpty(Store store) {
    return store
        .listPrefix(NodePath.of(path).prefix())
        .filter(stored -> !stored.equals(key()))
        .next()
        .flatMap(
            stored ->
                release(store)
                    .then(
                        Mono.error(
                            () ->
                                new NodeExistsException(
                                    "a key that belongs to no node is stored at the place of the"
                                        + " new one; "
                                        + OVERWRITE,
                                    Location.ofKey(stored.value())))));
  }

  Mono<Void> release(Store store) {
    return StagedStore.isOne(store) ? Mono.empty() : store.erase(key());
  }

  /** Fails if the mark is another one, or missing: the job has ended. */
  Mono<Void> check(Store store) {
    if (StagedStore.isOne(store)) {
      return Mono.empty();
    }
    return store
        .get(key())
        .filter(stored -> stored.equals(Bytes.utf8(text)))
        .switchIfEmpty(
            Mono.error(
                () ->
                    new PreconditionFailedException(
                        "the write has ended before this task", Location.ofKey(key().value()))))
        .then();
  }
}
