package dev.zarrreactive.cli.change;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
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
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The mark of an array that grows: the shape before the append, in {@code zarr.json.partial} beside
 * its document. An append that is killed leaves it, so that the next one does not take a part of
 * the elements for all of them. Only stores that can erase get one.
 */
final class AppendMark {
  private static final String SUFFIX = ".partial";
  private static final String MEMBER = "append_to_shape";
  private static final long LARGEST = 1 << 16;

  private final ZarrArray array;
  private final Store store;
  private final StoreKey key;
  private final String place;

  /**
   * Creates the mark of an array.
   *
   * @param place the array in the user's words
   */
  AppendMark(ZarrArray array, String place) {
    this.array = array;
    this.store = array.store();
    this.key = StoreKey.of(array.metadata().documentKey(array.path()).value() + SUFFIX);
    this.place = place;
  }

  /**
   * Lets the array grow under the mark.
   *
   * @param resumes whether an append that was interrupted is made again from its beginning
   * @param before is told the shape that the array has before it grows
   */
  Mono<ZarrArray> during(
      boolean resumes, Consumer<Shape> before, Function<ZarrArray, Mono<ZarrArray>> append) {
    if (!isMarked()) {
      if (resumes) {
        throw new CommandFailure(
            "--resume needs the mark of the append that was interrupted, which is left only in a"
                + " store that can erase; zarr resize gives the array its shape of before");
      }
      before.accept(array.shape());
      return append.apply(array);
    }
    return store
        .get(key, ByteRange.whole(LARGEST))
        .map(this::shape)
        .flatMap(
            shape ->
                resumes
                    ? array.resize(shape)
                    : Mono.<ZarrArray>error(
                        () ->
                            new CommandFailure(
                                "an append has begun here and has not ended: the array had the"
                                    + " shape "
                                    + shape
                                    + " and has "
                                    + array.shape()
                                    + advice(shape))))
        .switchIfEmpty(Mono.defer(() -> begin(resumes)))
        .flatMap(
            begun -> {
              before.accept(begun.shape());
              return append
                  .apply(begun)
                  .onErrorResume(Exception.class, error -> fail(begun.shape(), error));
            })
        .delayUntil(grown -> forget());
  }

  /** Removes the mark. */
  Mono<Void> forget() {
    return isMarked() ? store.erase(key) : Mono.empty();
  }

  /** Returns false for a store that keeps a mark for ever, or in which no append is cut short. */
  private boolean isMarked() {
    return store.capabilities().contains(StoreCapability.ERASE) && !StagedStore.isOne(store);
  }

  private Mono<ZarrArray> begin(boolean resumes) {
    if (resumes) {
      throw new CommandFailure(
          "no append was interrupted here; without --resume SRC is appended to " + array.shape());
    }
    Set<StoreCapability> able = store.capabilities();
    return store
        .set(
            key,
            Bytes.utf8(document(array.shape()).toString()),
            able.contains(StoreCapability.CONDITIONAL_WRITE)
                ? Precondition.ABSENT
                : Precondition.NONE)
        .thenReturn(array);
  }

  /** Removes the mark where the array has not grown; otherwise adds what helps. */
  private Mono<ZarrArray> fail(Shape before, Exception error) {
    return Zarr.hierarchy(store)
        .openArray(array.path().value())
        .map(now -> now.shape().equals(before))
        .onErrorReturn(ZarrException.class, false)
        .flatMap(
            same ->
                same
                    ? forget().onErrorComplete(ZarrException.class).then(Mono.error(error))
                    : Mono.error(
                        CommandFailure.isOfMemory(error)
                            ? error
                            : CommandFailure.advised(error, advice(before))));
  }

  private String advice(Shape before) {
    return "; the same command with --resume appends all of SRC to the shape "
        + words(before, place);
  }

  /** Returns the shape of before, and the command that gives the array this shape again. */
  static String words(Shape before, String place) {
    return before
        + ", zarr resize "
        + place
        + " "
        + before.toString().replaceAll("[\\[\\] ]", "")
        + " gives it its shape of before";
  }

  private static JsonObject document(Shape shape) {
    List<JsonValue> extents = new ArrayList<>();
    for (long extent : shape.toArray()) {
      extents.add(JsonNumber.of(extent));
    }
    return JsonObject.EMPTY.with(MEMBER, new JsonArray(extents));
  }

  private Shape shape(Bytes mark) {
    JsonValue value =
        JsonDocument.parseAttributes(mark.asByteBuffer(), Location.ofKey(key.value())).value();
    if (value instanceof JsonObject document && document.get(MEMBER) instanceof JsonArray found) {
      try {
        Shape shape =
            Shape.of(
                found.elements().stream()
                    .mapToLong(each -> Long.parseLong(each.toString()))
                    .toArray());
        if (shape.rank() == array.shape().rank()) {
          return shape;
        }
      } catch (IllegalArgumentException e) {
        throw foreign(e);
      }
    }
    throw foreign(null);
  }

  private CommandFailure foreign(@Nullable Throwable cause) {
    String message =
        "the key "
            + key
            + " is not the mark of an append, but of a copy or an import; the command that left it"
            + " finishes it with --resume, or erase that key";
    return cause == null ? new CommandFailure(message) : new CommandFailure(message, cause);
  }
}
