package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Gathers the parts of an array that a stream brings, until chunks are complete. A part that is all
 * that arrives for a chunk is handed on as it is. When one more chunk would exceed the bound of the
 * bytes, the chunk that was begun first is handed on as far as it has arrived.
 *
 * <p>Parts may arrive in any order, and some elements twice. Parts of a selection that was
 * announced by {@link #expect} arrive in its order: they need room for its elements only.
 *
 * <p>One stream at a time adds parts. Any thread may {@linkplain #release release} chunks.
 */
final class ChunkGatherer {
  private final ArrayStorage array;
  private final ChunkGrid grid;
  private final long bound;
  private final Mono<Void> lease;

  /** The chunks that have not arrived whole, in the order in which they were begun. */
  private final Map<LongBuffer, NewElements.Gathered> begun = new LinkedHashMap<>();

  /** The elements that will arrive of chunks that have not begun. */
  private final Map<LongBuffer, ResolvedSelection> expected = new HashMap<>();

  /**
   * The memory of chunks that are stored: a large array for each chunk would cost the collector of
   * a small heap much.
   */
  private final Queue<ElementMemory> free = new ConcurrentLinkedQueue<>();

  private boolean isLeased;
  private long begunBytes;
  private long gatheredBytes; // of the chunks that are begun and of those that are written
  private long wanted;
  private Sinks.@Nullable Empty<Void> room;

  /**
   * Creates a gatherer for one stream.
   *
   * @param grid the chunks that are gathered
   * @param bound the most bytes of chunks that are begun, or handed on and not released
   * @param lease completes when the bytes are leased; subscribed to when the first chunk begins
   */
  ChunkGatherer(ArrayStorage array, ChunkGrid grid, long bound, Mono<Void> lease) {
    this.array = array;
    this.grid = grid;
    this.bound = bound;
    this.lease = lease;
  }

  /** Announces a selection whose elements arrive next, in its order. */
  void expect(ResolvedSelection selection) {
    ChunkPlan.of(selection, grid)
        .forEach(part -> expected.put(key(part.chunkIndex()), part.selected()));
  }

  /** Adds the elements of a selection, and emits the chunks that can be written now. */
  Flux<NewElements> add(ResolvedSelection selection, NdArray data) {
    return Flux.fromIterable(ChunkPlan.of(selection, grid)).concatMap(part -> add(part, data), 1);
  }

  private Flux<NewElements> add(ChunkProjection part, NdArray data) {
    LongBuffer key = key(part.chunkIndex());
    NewElements.Gathered elements = begun.get(key);
    if (elements instanceof OrderedElements) { // this part is one of several
      return Mono.justOrEmpty(add(elements, part, data)).flux();
    }
    NewElements alone = SelectedElements.of(part, data, grid);
    ResolvedSelection all = expected.get(key);
    if (all == null
        ? alone.isWhole(array.metadata().shape())
        : count(all.shape()) == count(part.region().shape())) {
      expected.remove(key);
      if (elements != null) {
        forget(elements);
        release(elements);
      }
      return Flux.just(alone);
    }
    if (elements != null) {
      return Mono.justOrEmpty(add(elements, part, data)).flux();
    }
    long bytes = bytes(part.chunkIndex(), all);
    if (bytes > bound) {
      return Flux.just(alone);
    }
    Mono<NewElements> begin =
        lease()
            .then(Mono.defer(() -> room(bytes)))
            .publishOn(array.limits().codecScheduler())
            .then(Mono.fromSupplier(() -> begin(part.chunkIndex(), bytes)))
            .mapNotNull(made -> add(made, part, data));
    return Flux.concat(List.of(Flux.fromIterable(giveUp(bytes)), begin));
  }

  /** Takes a part. Returns the chunk if it is complete now. */
  private @Nullable NewElements add(
      NewElements.Gathered elements, ChunkProjection part, NdArray data) {
    if (!elements.add(part, data)) {
      return null;
    }
    forget(elements);
    return elements;
  }

  /** Returns the chunks that must be written before another one can be gathered. */
  private List<NewElements> giveUp(long bytes) {
    List<NewElements> first = new ArrayList<>();
    while (begunBytes + bytes > bound) {
      NewElements.Gathered next = begun.values().iterator().next();
      forget(next);
      first.add(next);
    }
    return first;
  }

  /** Emits the chunks that are incomplete at the end of the stream. */
  Flux<NewElements> rest() {
    return Flux.defer(() -> Flux.fromIterable(List.copyOf(begun.values())));
  }

  private NewElements.Gathered begin(long[] index, long bytes) {
    ResolvedSelection all = expected.remove(key(index));
    NewElements.Gathered elements =
        all == null
            ? new GatheredElements(
                index, grid.chunkStart(index), array.metadata().shape(), array.codec(index))
            : new OrderedElements(all, memory(all.shape()), bytes, grid);
    begun.put(key(index), elements);
    begunBytes += bytes;
    return elements;
  }

  private ElementMemory memory(Shape shape) {
    DataType dataType = array.metadata().dataType();
    ElementMemory used = free.poll();
    return used != null && used.count() == count(shape)
        ? used
        : MemoryGuard.allocating(
            "to gather a chunk",
            shape.byteSize(dataType.memorySize()),
            Location.UNKNOWN,
            () -> ElementMemory.allocate(dataType, shape));
  }

  private void forget(NewElements.Gathered elements) {
    begun.remove(key(elements.chunkIndex()));
    begunBytes -= elements.bytes();
  }

  private long bytes(long[] index, @Nullable ResolvedSelection all) {
    return all == null
        ? GatheredElements.bytes(array.codec(index).representation())
        : ByteBudget.product(count(all.shape()), array.metadata().dataType().memorySize());
  }

  private static long count(Shape shape) {
    return shape.elementCountUpTo(Long.MAX_VALUE);
  }

  /** Leases the bytes when the first chunk begins. */
  private Mono<Void> lease() {
    if (isLeased) {
      return Mono.empty();
    }
    isLeased = true;
    return lease;
  }

  /** Completes when chunks are written that leave room for this many bytes. */
  private synchronized Mono<Void> room(long bytes) {
    if (gatheredBytes + bytes <= bound) {
      gatheredBytes += bytes;
      return Mono.empty();
    }
    wanted = bytes;
    room = Sinks.empty();
    return room.asMono();
  }

  /** Takes back the memory of a chunk that is stored, and that nothing reads any more. */
  void reuse(NewElements elements) {
    if (elements instanceof OrderedElements ordered
        && !(array.metadata().dataType() instanceof VariableLengthType)) {
      free.add(ordered.memory());
    }
  }

  /** Gives the bytes of a chunk back, whose write has ended. */
  void release(NewElements elements) {
    if (!(elements instanceof NewElements.Gathered gathered)) {
      return;
    }
    Sinks.Empty<Void> waiting;
    synchronized (this) {
      gatheredBytes -= gathered.bytes();
      waiting = room;
      if (waiting == null || gatheredBytes + wanted > bound) {
        return;
      }
      gatheredBytes += wanted;
      room = null;
    }
    waiting.tryEmitEmpty();
  }

  private static LongBuffer key(long[] index) {
    return LongBuffer.wrap(index);
  }
}
