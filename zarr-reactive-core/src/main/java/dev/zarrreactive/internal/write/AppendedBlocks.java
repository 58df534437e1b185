package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.guard.MemoryGuard;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;

/**
 * The blocks of a stream that are appended together: up to the end of a row of chunks along the
 * axis, and to an eighth of the budget. Chunks of a grid that lists its edges are as long as the
 * blocks, so that there each block is appended alone.
 */
final class AppendedBlocks {
  /** The most blocks that are appended together, however small they are. */
  private static final int MOST_BLOCKS = 10_000;

  private final ArrayStorage array;
  private final int axis;
  private final long chunk;
  private final long bound;
  private volatile long begin;

  // of the blocks that are gathered, by one thread at a time
  private long gatheredRows;
  private long gatheredBytes;

  AppendedBlocks(ArrayStorage array, int axis) {
    this.array = array;
    this.axis = axis;
    this.chunk =
        array.metadata().chunkGrid().name().equals("regular")
            ? array.grid().dimension(axis).largest()
            : 0;
    this.bound = array.limits().inFlightBytes() / (2 * ChunkWriter.GATHERED);
    this.begin = array.metadata().shape().extent(axis);
  }

  /**
   * Returns true if these blocks are appended before another one is gathered. Asked after each
   * block, of which only the last is new.
   */
  boolean areComplete(List<NdArray> blocks) {
    boolean isFirst = blocks.size() == 1;
    NdArray last = blocks.get(blocks.size() - 1);
    gatheredRows = ByteBudget.sum(isFirst ? 0 : gatheredRows, rows(last));
    gatheredBytes = ByteBudget.sum(isFirst ? 0 : gatheredBytes, bytes(last));
    return chunk == 0
        || gatheredRows >= chunk - begin % chunk
        || gatheredBytes >= bound
        || blocks.size() >= MOST_BLOCKS;
  }

  /** Returns the rows of a block; one that does not fit ends a row of chunks. */
  private long rows(NdArray block) {
    return fits(block) ? block.shape().extent(axis) : chunk;
  }

  private static long bytes(NdArray block) {
    long elements = block.shape().elementCountUpTo(Long.MAX_VALUE);
    return ByteBudget.product(elements, block.dataType().memorySize());
  }

  private static long bytes(List<NdArray> blocks) {
    return blocks.stream().mapToLong(AppendedBlocks::bytes).reduce(0, ByteBudget::sum);
  }

  /**
   * Notes the row after these blocks. The next ones begin there, unless another program appends.
   *
   * @param row the row at which these blocks are appended
   */
  void beginAfter(long row, List<NdArray> blocks) {
    begin = blocks.stream().mapToLong(this::rows).reduce(row, ByteBudget::sum);
  }

  private boolean fits(NdArray block) {
    Shape shape = block.shape();
    Shape known = array.metadata().shape();
    return block.dataType().equals(array.metadata().dataType())
        && shape.rank() == known.rank()
        && IntStream.range(0, known.rank())
            .allMatch(d -> d == axis || shape.extent(d) == known.extent(d));
  }

  /** Returns true if the blocks can be appended as one. */
  boolean canJoin(List<NdArray> blocks) {
    return blocks.size() > 1 && blocks.stream().allMatch(this::fits);
  }

  /**
   * Joins the blocks to one for {@code append}, and leases its bytes until the append has ended.
   */
  <T> Mono<T> join(List<NdArray> blocks, Function<NdArray, Mono<T>> append) {
    return Mono.using(
        () -> array.context().budget().share(),
        share -> {
          long decoded =
              ByteBudget.product(
                  array.grid().largestChunkShape().elementCountUpTo(Long.MAX_VALUE),
                  array.metadata().dataType().memorySize());
          return ChunkWriter.leaseToGather(share, bytes(blocks), decoded)
              .publishOn(array.limits().codecScheduler())
              .then(Mono.fromSupplier(() -> join(blocks)))
              .flatMap(append);
        },
        ByteBudget.Share::close);
  }

  private NdArray join(List<NdArray> blocks) {
    long[] extents = array.metadata().shape().toArray();
    extents[axis] = blocks.stream().mapToLong(block -> block.shape().extent(axis)).sum();
    Shape shape = Shape.of(extents);
    return MemoryGuard.allocating(
        "to join the blocks of a row of chunks",
        bytes(blocks),
        Location.ofNode(array.path().value()),
        () -> join(blocks, shape));
  }

  private NdArray join(List<NdArray> blocks, Shape shape) {
    ElementMemory all = ElementMemory.allocate(array.metadata().dataType(), shape);
    long[] offset = new long[shape.rank()];
    for (NdArray block : blocks) {
      SelectedElements.copy(block, offset, all, shape);
      offset[axis] += block.shape().extent(axis);
    }
    return all.toNdArray(shape);
  }
}
