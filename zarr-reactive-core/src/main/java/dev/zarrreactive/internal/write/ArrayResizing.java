package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkgrid.ShrinkMode;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.UnfinishedAppendException;
import dev.zarrreactive.error.UnfinishedResizeException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.Batches;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.hierarchy.NodeWriter;
import dev.zarrreactive.internal.hierarchy.NodeWriter.ArrayChange;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.StoreCapability;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Changes the shape of an array. The shape in the store counts, which other writers may have
 * changed since the array was opened.
 *
 * <p>An append first makes the array longer by a compare-and-set of its document, and then writes
 * its block to the place that it has won: two appends never share a place. A shrink first stores
 * the new shape, and then erases: no reader takes an erased chunk for fill value.
 */
public final class ArrayResizing {
  private final ArrayStorage array;
  private final NodeWriter nodes;

  /** Creates the operations on {@code array}. */
  public ArrayResizing(ArrayStorage array, NodeWriter nodes) {
    this.array = array;
    this.nodes = nodes;
  }

  /**
   * Gives the array another shape, and emits it.
   *
   * @throws IllegalArgumentException if the shape has another rank
   */
  public Mono<ArrayStorage> resize(Shape shape, ShrinkMode outside) {
    Shape known = array.metadata().shape();
    if (shape.rank() != known.rank()) {
      throw new InvalidInputException(
          "a shape of " + shape.rank() + " dimensions for the array " + described());
    }
    return Mono.defer(
        () -> {
          array.checks().changeable();
          if (erases(known, shape, outside)) {
            checkErasable(outside);
          }
          return nodes.updateArray(
              array.path(),
              array.metadata(),
              before -> resized(before, shape, outside),
              change -> clear(change, outside));
        });
  }

  private ArrayMetadata resized(ArrayMetadata before, Shape shape, ShrinkMode outside) {
    checkSameRank(before);
    Shape known = array.metadata().shape();
    for (int d = 0; d < shape.rank(); d++) {
      if (before.shape().extent(d) > Math.max(shape.extent(d), known.extent(d))) {
        throw new PreconditionFailedException(
            "the array was not resized to "
                + shape
                + ": since it was opened with shape "
                + known
                + " another writer has given it the shape "
                + before.shape()
                + ", and the elements that came with it would be lost; open the array again",
            node());
      }
    }
    if (erases(before.shape(), shape, outside)) {
      checkErasable(outside);
    }
    return withShape(before, shape);
  }

  /** Returns true if the store is searched for chunks to erase. An equal shape repeats a shrink. */
  private static boolean erases(Shape before, Shape shape, ShrinkMode outside) {
    return outside != ShrinkMode.KEEP && (shape.equals(before) || shrinks(before, shape));
  }

  private static boolean shrinks(Shape before, Shape shape) {
    return IntStream.range(0, shape.rank()).anyMatch(d -> shape.extent(d) < before.extent(d));
  }

  private void checkErasable(ShrinkMode outside) {
    if (outside == ShrinkMode.TRIM) {
      array.checks().writable();
    }
    for (StoreCapability needed :
        new StoreCapability[] {StoreCapability.LIST, StoreCapability.ERASE}) {
      if (!array.store().capabilities().contains(needed)) {
        throw needed.refusal(
            array.store(),
            "erase the chunks outside of a shape; ShrinkMode.KEEP keeps them",
            node());
      }
    }
  }

  /** Erases the chunks outside, while no other writer of this process changes the shape. */
  private Mono<ArrayStorage> clear(ArrayChange change, ShrinkMode outside) {
    ArrayStorage resized = array.with(change.after());
    if (!erases(change.before().shape(), change.after().shape(), outside)) {
      return Mono.just(resized);
    }
    return new OutsideChunks(resized, change.before().shape(), nodes)
        .clear(outside)
        .onErrorMap(
            ZarrException.class,
            e -> new UnfinishedResizeException(change.after().shape().toString(), e.at(node())))
        .thenReturn(resized);
  }

  /**
   * Appends a block, and emits the longer array.
   *
   * @throws IllegalArgumentException if the axis, the data type or the other extents do not fit
   */
  public Mono<ArrayStorage> append(int axis, NdArray block) {
    checkAxis(axis);
    Shape longer = appended(array.metadata(), axis, block);
    return Mono.defer(
        () -> {
          array.checks().writable();
          if (longer.equals(array.metadata().shape())) {
            return Mono.just(array);
          }
          return nodes
              .updateArray(
                  array.path(),
                  array.metadata(),
                  before -> withShape(before, appended(before, axis, block)),
                  Mono::just)
              .flatMap(change -> writeBlock(change, axis, block));
        });
  }

  /**
   * Appends blocks as they arrive, and emits the longer array. Blocks that complete a row of chunks
   * are appended as one. A block that comes alone does not wait for another one.
   */
  public Mono<ArrayStorage> append(int axis, Publisher<NdArray> blocks) {
    checkAxis(axis);
    return Mono.defer(
        () -> {
          array.checks().writable();
          AtomicReference<ArrayStorage> longest = new AtomicReference<>(array);
          AppendedBlocks together = new AppendedBlocks(array, axis);
          Function<NdArray, Mono<ArrayStorage>> append =
              block ->
                  new ArrayResizing(Objects.requireNonNull(longest.get()), nodes)
                      .append(axis, block)
                      .doOnNext(
                          longer -> {
                            longest.set(longer);
                            together.beginAfter(end(axis, longer), List.of());
                          });
          return Concurrently.mapInOrder(
                  new Batches<>(Flux.from(blocks), together::areComplete),
                  1,
                  batch -> {
                    together.beginAfter(end(axis, Objects.requireNonNull(longest.get())), batch);
                    return together.canJoin(batch)
                        ? together.join(batch, append)
                        : Flux.fromIterable(batch).concatMap(append, 1);
                  })
              .then(Mono.fromSupplier(longest::get));
        });
  }

  private static long end(int axis, ArrayStorage array) {
    return array.metadata().shape().extent(axis);
  }

  private Mono<ArrayStorage> writeBlock(ArrayChange change, int axis, NdArray block) {
    ArrayStorage longer = array.with(change.after());
    long[] offset = new long[block.shape().rank()];
    offset[axis] = change.before().shape().extent(axis);
    Selection place = Selection.box(offset, block.shape().toArray());
    return new ChunkWriter(longer)
        .append(place.resolve(longer.metadata().shape()), block)
        .onErrorMap(
            ZarrException.class,
            e -> new UnfinishedAppendException(place(axis, change), e.at(node())))
        .thenReturn(longer);
  }

  private static String place(int axis, ArrayChange change) {
    Shape before = change.before().shape();
    String range = before.extent(axis) + ":" + change.after().shape().extent(axis);
    return IntStream.range(0, before.rank())
        .mapToObj(d -> d == axis ? range : ":")
        .collect(Collectors.joining(","));
  }

  private void checkAxis(int axis) {
    int rank = array.metadata().shape().rank();
    if (axis < 0 || axis >= rank) {
      throw new InvalidInputException(
          "no axis "
              + axis
              + " of the array "
              + described()
              + (rank == 0 ? "; a scalar has none" : "; axes are 0 to " + (rank - 1)));
    }
  }

  /** Returns the shape of an array with the block at its end. */
  private Shape appended(ArrayMetadata before, int axis, NdArray block) {
    checkSameRank(before);
    long[] extents = before.shape().toArray();
    long[] added = block.shape().toArray();
    boolean fits = added.length == extents.length && block.dataType().equals(before.dataType());
    for (int d = 0; fits && d < extents.length; d++) {
      fits = d == axis || added[d] == extents[d];
    }
    if (!fits) {
      throw new InvalidInputException(
          ("a block of %s and shape %s cannot be appended along axis %s to the array %s of"
                  + " %s and shape %s; the data type and the other extents must be equal")
              .formatted(
                  block.dataType(),
                  block.shape(),
                  axis,
                  array.path(),
                  before.dataType(),
                  before.shape()));
    }
    if (added[axis] > Long.MAX_VALUE - extents[axis]) {
      throw new InvalidInputException(
          "a block of shape "
              + block.shape()
              + " makes the array "
              + described()
              + " longer than 2^63 - 1 along axis "
              + axis);
    }
    extents[axis] += added[axis];
    return Shape.of(extents);
  }

  /** Returns the metadata with another shape, or the same; refuses an array that cannot be. */
  private ArrayMetadata withShape(ArrayMetadata before, Shape shape) {
    if (shape.equals(before.shape())) {
      return before;
    }
    ArrayMetadata after = before.withShape(shape, ChunkGrid.grown(before.chunkGrid(), shape));
    array.with(after);
    return after;
  }

  private void checkSameRank(ArrayMetadata now) {
    if (now.shape().rank() != array.metadata().shape().rank()) {
      throw new MetadataException(
          "the array was replaced by another one, of shape "
              + now.shape()
              + ", since it was opened with shape "
              + array.metadata().shape()
              + "; open it again",
          node());
    }
  }

  private String described() {
    return array.path() + " of shape " + Arrays.toString(array.metadata().shape().toArray());
  }

  private Location node() {
    return Location.ofNode(array.path().value());
  }
}
