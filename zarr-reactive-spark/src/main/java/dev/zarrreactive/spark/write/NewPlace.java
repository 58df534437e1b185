package dev.zarrreactive.spark.write;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import reactor.core.publisher.Mono;

/** The place of a new node, which must be empty: stored keys there would become chunks of it. */
final class NewPlace {
  static final String OVERWRITE = "mode(\"overwrite\") erases what is there";

  private NewPlace() {}

  /** Marks an empty place; fails if another write has marked it, or keys are there. */
  static Mono<Void> take(Store store, Claim claim) {
    return claim.take(store, OVERWRITE).then(Mono.defer(() -> checkEmpty(store, claim)));
  }

  private static Mono<Void> checkEmpty(Store store, Claim claim) {
    return store
        .listPrefix(NodePath.of(claim.path()).prefix())
        .filter(key -> !key.equals(claim.key()))
        .next()
        .flatMap(
            key ->
                claim
                    .release(store)
                    .then(
                        Mono.error(
                            () ->
                                new NodeExistsException(
                                    "a key that belongs to no node is stored at the place of the"
                                        + " new one; "
                                        + OVERWRITE,
                                    Location.ofKey(key.value())))));
  }
}
