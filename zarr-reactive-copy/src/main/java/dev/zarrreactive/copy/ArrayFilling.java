package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.copy.Destination.State;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodePath;
import reactor.core.publisher.Mono;

/**
 * A new array that is filled over time, such as an import. Until it is complete its document is
 * {@code zarr.json.partial} ({@code .zarray.partial}), as in an unfinished {@link ZarrCopy}, so
 * that no reader takes a part of it for the whole. Immutable.
 *
 * <pre>{@code Mono<ZarrArray> filled =
 *
 * ArrayFilling.of(hierarchy, "t", metadata).run((array, isResumed) -> array.write(all, blocks));
 * }</pre>
 */
public final class ArrayFilling {
  private final ZarrHierarchy hierarchy;
  private final NodePath path;
  private final ArrayMetadata metadata;
  private final IfExists ifExists;

  private ArrayFilling(
      ZarrHierarchy hierarchy, NodePath path, ArrayMetadata metadata, IfExists ifExists) {
    this.hierarchy = hierarchy;
    this.path = path;
    this.metadata = metadata;
    this.ifExists = ifExists;
  }

  /** The writer of the elements. */
  @FunctionalInterface
  public interface Filler {
    /**
     * Writes the elements of the array.
     *
     * @param isResumed whether an earlier run has stored some of them already
     * @return completes when everything is stored
     */
    Mono<Void> fill(ZarrArray array, boolean isResumed);
  }

  /** Describes the filling of a new array at {@code path}. */
  public static ArrayFilling of(ZarrHierarchy hierarchy, String path, ArrayMetadata metadata) {
    return new ArrayFilling(hierarchy, NodePath.of(path), metadata, IfExists.REFUSE);
  }

  /** Sets the policy for an array that exists, or was begun. By default it is refused. */
  public ArrayFilling ifExists(IfExists policy) {
    return new ArrayFilling(hierarchy, path, metadata, policy);
  }

  /**
   * Marks the array as unfinished, lets {@code filler} write it, creates the groups above it that
   * are missing, and stores its document. Cold. With {@link IfExists#RESUME} an array that is
   * complete is emitted as it is. After a cancel or an error the unfinished array stays.
   *
   * <p>Errors: {@link dev.zarrreactive.error.NodeExistsException} for an array that exists, or that
   * was begun with other metadata, and the errors of writing and of {@code filler}.
   */
  public Mono<ZarrArray> run(Filler filler) {
    return Mono.defer(
            () -> {
              ZarrArray array = hierarchy.array(path.value(), metadata);
              UnfinishedNodes unfinished = new UnfinishedNodes(hierarchy);
              Destination destination = new Destination(hierarchy, path, unfinished);
              return destination
                  .prepare(metadata.zarrFormat(), ifExists)
                  .flatMap(
                      goesOn ->
                          goesOn ? destination.state(path, metadata) : Mono.just(State.ABSENT))
                  .flatMap(state -> fill(array, state, filler, unfinished, destination))
                  .thenReturn(array);
            })
        .checkpoint("zarr filling of " + path);
  }

  private Mono<Void> fill(
      ZarrArray array,
      State state,
      Filler filler,
      UnfinishedNodes unfinished,
      Destination destination) {
    if (state == State.FINISHED) {
      return Mono.empty();
    }
    Mono<Void> begin =
        state == State.ABSENT ? unfinished.begin(path, metadata) : Mono.<Void>empty();
    return begin
        .then(Mono.defer(() -> filler.fill(array, state == State.BEGUN)))
        .then(Mono.defer(() -> destination.create(metadata)))
        .then(Mono.defer(() -> unfinished.forget(path, metadata)));
  }

  @Override
  public String toString() {
    return "filling of " + path + " in " + hierarchy.store();
  }
}
