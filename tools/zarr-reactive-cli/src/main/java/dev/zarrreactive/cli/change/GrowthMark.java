package dev.zarrreactive.cli.change;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.StagedStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * The mark of a node that grows, in {@code zarr.json.partial} beside its document: a JSON object
 * that tells the state before. An append that is killed leaves it. Only stores that can erase keep
 * one, and no staged ones, whose changes are stored together or not at all.
 */
final class GrowthMark {
  private static final String SUFFIX = ".partial";
  private static final long LARGEST = 1 << 22;

  private final Store store;
  private final StoreKey key;

  /**
   * Creates the mark of a node.
   *
   * @param document the key of the node's document
   */
  GrowthMark(Store store, StoreKey document) {
    this.store = store;
    this.key = StoreKey.of(document.value() + SUFFIX);
  }

  /** Returns false for a store that would keep a mark for ever, or that needs none. */
  boolean isKept() {
    return store.capabilities().contains(StoreCapability.ERASE) && !StagedStore.isOne(store);
  }

  /**
   * Emits the state that an append has left; empty without a mark.
   *
   * <p>Errors: {@link CommandFailure} for the mark of another command.
   */
  Mono<JsonObject> look() {
    return isKept() ? store.get(key, ByteRange.whole(LARGEST)).map(this::parse) : Mono.empty();
  }

  private JsonObject parse(Bytes mark) {
    JsonValue value =
        JsonDocument.parseAttributes(mark.asByteBuffer(), Location.ofKey(key.value())).value();
    if (value instanceof JsonObject document) {
      return document;
    }
    throw foreign();
  }

  /** Leaves the mark, unless another command has left one meanwhile. */
  Mono<Void> leave(JsonObject before) {
    boolean isConditional = store.capabilities().contains(StoreCapability.CONDITIONAL_WRITE);
    return isKept()
        ? store
            .set(
                key,
                Bytes.utf8(before.toString()),
                isConditional ? Precondition.ABSENT : Precondition.NONE)
            .then()
        : Mono.empty();
  }

  /** Removes the mark. */
  Mono<Void> forget() {
    return isKept() ? store.erase(key) : Mono.empty();
  }

  /** Returns a shape as a member of the mark. */
  static JsonValue json(Shape shape) {
    List<JsonValue> extents = new ArrayList<>();
    for (long extent : shape.toArray()) {
      extents.add(JsonNumber.of(extent));
    }
    return new JsonArray(extents);
  }

  /**
   * Returns a member of the mark as a shape.
   *
   * @throws CommandFailure if it is none
   */
  Shape shape(JsonValue value) {
    if (!(value instanceof JsonArray extents)) {
      throw foreign();
    }
    try {
      return Shape.of(
          extents.elements().stream().mapToLong(each -> Long.parseLong(each.toString())).toArray());
    } catch (IllegalArgumentException e) {
      throw foreign();
    }
  }

  /** Returns the error of a mark that no append has left. */
  CommandFailure foreign() {
    return new CommandFailure(
        "the key "
            + key
            + " is not the mark of an append, but of a copy, an import or a write of Spark; what"
            + " left it finishes it, a command with --resume, or erase that key");
  }
}
