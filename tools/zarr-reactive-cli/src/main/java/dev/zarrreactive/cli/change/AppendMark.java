package dev.zarrreactive.cli.change;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * The mark of an array that grows: the shape before the append, in {@code zarr.json.partial} beside
 * its document. An append that is killed leaves it, so that the next one does not take a part of
 * the elements for all of them. Only stores that can erase get one.
 */
final class AppendMark {
  private static final String MEMBER = "append_to_shape";

  private final ZarrArray array;
  private final GrowthMark mark;
  private final String place;

  /**
   * Creates the mark of an array.
   *
   * @param place the array in the user's words
   */
  AppendMark(ZarrArray array, String place) {
    this.array = array;
    this.mark = new GrowthMark(array.store(), array.metadata().documentKey(array.path()));
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
    if (!mark.isKept()) {
      if (resumes) {
        throw new CommandFailure(
            "--resume needs the mark of the append that was interrupted, which is left only in a"
                + " store that can erase; zarr resize gives the array its shape of before");
      }
      before.accept(array.shape());
      return append.apply(array);
    }
    return mark.look()
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
    return mark.forget();
  }

  private Mono<ZarrArray> begin(boolean resumes) {
    if (resumes) {
      throw new CommandFailure(
          "no append was interrupted here; without --resume SRC is appended to " + array.shape());
    }
    return mark.leave(JsonObject.EMPTY.with(MEMBER, GrowthMark.json(array.shape())))
        .thenReturn(array);
  }

  /** Removes the mark where the array has not grown; otherwise adds what helps. */
  private Mono<ZarrArray> fail(Shape before, Exception error) {
    return Zarr.hierarchy(array.store())
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

  private Shape shape(JsonObject before) {
    JsonValue extents = before.get(MEMBER);
    Shape shape = extents == null ? null : mark.shape(extents);
    if (shape == null || shape.rank() != array.shape().rank()) {
      throw mark.foreign();
    }
    return shape;
  }
}
