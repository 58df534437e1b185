package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Values that are put together of others, block by block of a {@link BlockGrid}: a block has whole
 * chunks of the sources, and no chunk is in two of them where the grid says so.
 */
abstract non-sealed class AssembledValues implements VariableValues {
  /** The part of the bytes in flight that is read at once, without blocks. */
  private static final int SHARE = 8;

  /** Reads all values at once, without blocks: those of a block, or as many. */
  abstract Mono<NdArray> gather();

  @Override
  public abstract AssembledValues with(String dimension, Axis positions);

  @Override
  public abstract AssembledValues renamed(String dimension, String other);

  /** The chunks of blocks are at places of these values. */
  @Override
  public final Axis positions(int dimension) {
    return whole(dimension);
  }

  private Axis whole(int dimension) {
    return new Axis.Range(0, shape().extent(dimension), 1, false);
  }

  private List<Axis> allPositions() {
    List<Axis> all = new ArrayList<>();
    for (int d = 0; d < shape().rank(); d++) {
      all.add(whole(d));
    }
    return all;
  }

  private AssembledValues with(List<Axis> axes) {
    AssembledValues part = this;
    List<String> names = dimensions();
    for (int d = 0; d < names.size(); d++) {
      if (!axes.get(d).equals(whole(d))) {
        part = part.with(names.get(d), axes.get(d));
      }
    }
    return part;
  }

  private BlockGrid grid() {
    List<VariableValues> all = List.of(this);
    return new BlockGrid(dimensions(), all, all, options().maxInFlightBytes());
  }

  @Override
  public final Mono<NdArray> read(Selection selection) {
    ResolvedSelection resolved = selection.resolve(shape());
    return resolved instanceof ResolvedSelection.Points points
        ? PointValues.of(this, points).readAll()
        : with(((ResolvedSelection.Orthogonal) resolved).axes()).readAll();
  }

  /** Reads all values, in blocks where they are many. */
  final Mono<NdArray> readAll() {
    return Mono.defer(
        () -> {
          if (isSmall()) {
            return gather();
          }
          PlacedElements whole = PlacedElements.allocate(dataType(), shape(), location());
          return assemble(whole).then(Mono.fromSupplier(whole::array));
        });
  }

  private boolean isSmall() {
    long count = shape().elementCountUpTo(Long.MAX_VALUE);
    long bytes = ByteBudget.product(count, Math.max(1, dataType().memorySize()));
    return bytes <= options().maxInFlightBytes() / SHARE;
  }

  private Mono<Void> assemble(PlacedElements whole) {
    BlockGrid grid = grid();
    return Concurrently.map(
            Flux.fromIterable(grid.blocks()),
            grid.ahead(),
            block -> {
              List<Axis> axes = block.axes();
              return with(axes).gather().doOnNext(values -> whole.put(values, axes));
            })
        .then();
  }

  @Override
  public final Mono<ByteBuffer> readInto(Selection selection, ByteBuffer target) {
    ResolvedSelection resolved = selection.resolve(shape());
    DataType type = dataType();
    if (type instanceof VariableLengthType) {
      throw new UnsupportedFeatureException(
          "values of " + type + " have no images; read() has them", location());
    }
    Shape shape = resolved.shape();
    ByteBuffer room = PlacedElements.room(target, type, shape);
    AssembledValues part =
        resolved instanceof ResolvedSelection.Points points
            ? PointValues.of(this, points)
            : with(((ResolvedSelection.Orthogonal) resolved).axes());
    return Mono.defer(() -> part.assemble(PlacedElements.into(type, shape, room)))
        .then(Mono.fromSupplier(() -> room.duplicate().order(ByteOrder.LITTLE_ENDIAN)));
  }

  @Override
  public final Flux<Chunk> chunks(Selection selection) {
    return chunks(selection, false);
  }

  @Override
  public final Flux<Chunk> chunksInOrder(Selection selection) {
    return chunks(selection, true);
  }

  private Flux<Chunk> chunks(Selection selection, boolean isInOrder) {
    ResolvedSelection resolved = selection.resolve(shape());
    if (resolved instanceof ResolvedSelection.Orthogonal box) {
      return with(box.axes()).stream(isInOrder, box.axes(), chunk -> chunk);
    }
    int rank = shape().rank();
    return PointValues.of(this, (ResolvedSelection.Points) resolved)
        .readAll()
        .map(values -> new Chunk(new long[rank], resolved, values))
        .flux();
  }

  @Override
  public final <T> Flux<T> chunks(boolean isInOrder, ChunkWork<T> work) {
    return stream(isInOrder, allPositions(), work::apply);
  }

  /**
   * Streams what codec threads make of the blocks.
   *
   * @param axes the place of these values in others
   */
  private <T> Flux<T> stream(boolean isInOrder, List<Axis> axes, Function<Chunk, T> work) {
    return Flux.defer(
        () -> {
          BlockGrid grid = grid();
          Function<BlockGrid.Block, Mono<T>> read =
              block ->
                  with(block.axes())
                      .gather()
                      .publishOn(options().codecScheduler())
                      .map(values -> work.apply(block.chunk(axes, values)));
          Flux<BlockGrid.Block> blocks = Flux.fromIterable(grid.blocks());
          return isInOrder
              ? Concurrently.mapInOrder(blocks, grid.ahead(), read)
              : Concurrently.map(blocks, grid.ahead(), read);
        });
  }

  @Override
  public final @Nullable CfDecoding decoding() {
    return null;
  }
}
