package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.threads.Environment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Encodes a plain chunk on one codec thread, and the inner chunks of a shard on all codec threads.
 * Called on a codec thread.
 */
final class ChunkEncoder {
  /** The decoded bytes of inner chunks that are stored as one piece: each costs a call. */
  private static final long PIECE = 1 << 20;

  private static final long PIECES_OF_A_THREAD = 4;

  private final Scheduler codecScheduler;

  ChunkEncoder(Scheduler codecScheduler) {
    this.codecScheduler = codecScheduler;
  }

  /** Encodes a chunk that is no shard. */
  static Mono<Bytes> encode(ChunkCodec codec, NdArray chunk) {
    return Mono.fromSupplier(() -> inMemory(codec, () -> encodeAlone(codec, chunk)));
  }

  /**
   * Encodes some inner chunks of a shard into their places among its parts.
   *
   * @param elements returns the elements of an inner chunk; null if it is fill value
   */
  Mono<Void> encode(
      ShardParts parts,
      ChunkPlan changed,
      Function<ChunkProjection, @Nullable ElementMemory> elements) {
    InnerChunks chunks = new InnerChunks(changed, parts, elements);
    long threads = Math.min(Environment.current().processors(), changed.size());
    return threads <= 1
        ? Mono.fromRunnable(chunks::encode)
        : Concurrently.map(
                Flux.range(0, (int) threads),
                (int) threads,
                thread -> Mono.<Void>fromRunnable(chunks::encode).subscribeOn(codecScheduler))
            .then()
            .publishOn(codecScheduler);
  }

  /** Returns true if every inner chunk is fill value. Looks no further than the first other one. */
  static boolean isEmpty(
      ChunkPlan plan, Function<ChunkProjection, @Nullable ElementMemory> elements) {
    for (ChunkProjection part : plan) {
      if (elements.apply(part) != null) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns a shard whose index is at its end, piece by piece: inner chunks in C order, which are
   * encoded ahead of the demand on all codec threads, and the index. Small inner chunks that follow
   * one another are one piece. Each subscription encodes.
   */
  Flux<Bytes> pieces(
      ShardLayout layout,
      ChunkPlan plan,
      Function<ChunkProjection, @Nullable ElementMemory> elements) {
    return Flux.defer(
        () -> {
          ShardPlaces places = new ShardPlaces(layout);
          Flux<Bytes> inner =
              Concurrently.mapInOrder(
                      Flux.fromIterable(plan).buffer(inOnePiece(layout, plan)),
                      2 * Environment.current().processors(),
                      parts ->
                          Mono.fromSupplier(() -> piece(layout, parts, elements))
                              .subscribeOn(codecScheduler))
                  .map(places::add);
          return Flux.concat(List.of(inner, Mono.fromSupplier(places::index)));
        });
  }

  /** Returns how many inner chunks are one piece. Every thread has several pieces to encode. */
  private static int inOnePiece(ShardLayout layout, ChunkPlan plan) {
    long size = Math.max(1, layout.innerCodec().representation().byteSize());
    long ofEachThread = plan.size() / (PIECES_OF_A_THREAD * Environment.current().processors());
    return (int) Math.max(1, Math.min(PIECE / size, ofEachThread));
  }

  /** Returns inner chunks as one piece; null if all of them are fill value. */
  private static @Nullable List<ShardPlaces.Piece> piece(
      ShardLayout layout,
      List<ChunkProjection> parts,
      Function<ChunkProjection, @Nullable ElementMemory> elements) {
    long[] gridShape = layout.innerGrid().gridShape().toArray();
    List<ShardPlaces.Piece> encoded = new ArrayList<>(parts.size());
    for (ChunkProjection part : parts) {
      long[] index = part.chunkIndex();
      ElementMemory chunk = elements.apply(part);
      if (chunk != null) {
        encoded.add(
            new ShardPlaces.Piece(
                ShardPlaces.number(index, gridShape), encodeInner(layout, index, chunk)));
      }
    }
    return encoded.isEmpty() ? null : encoded;
  }

  /** Returns one encoded inner chunk. */
  static Bytes encodeInner(ShardLayout layout, long[] index, ElementMemory elements) {
    ChunkCodec codec = layout.innerCodec();
    try {
      return inMemory(
          codec, () -> encodeAlone(codec, elements.toNdArray(codec.representation().shape())));
    } catch (ZarrException e) {
      throw e.at(Location.UNKNOWN.innerChunk(index));
    }
  }

  /** Returns bytes that share no memory with the chunk, which may be the caller's. */
  private static Bytes encodeAlone(ChunkCodec codec, NdArray chunk) {
    Bytes encoded = codec.encode(chunk);
    boolean isShared =
        !(chunk.dataType() instanceof VariableLengthType)
            && encoded.unsafeArray() == ElementMemory.of(chunk).array();
    return isShared ? Bytes.wrap(encoded.toByteArray()) : encoded;
  }

  private static <T> T inMemory(ChunkCodec codec, Supplier<T> work) {
    return MemoryGuard.allocating(
        "to encode a chunk", codec.representation().byteSize(), Location.UNKNOWN, work);
  }

  /** Inner chunks of one shard; several threads take and encode them one by one. */
  private static final class InnerChunks {
    private final Iterator<ChunkProjection> rest;
    private final ShardParts parts;
    private final Function<ChunkProjection, @Nullable ElementMemory> elements;

    InnerChunks(
        ChunkPlan plan,
        ShardParts parts,
        Function<ChunkProjection, @Nullable ElementMemory> elements) {
      this.rest = plan.iterator();
      this.parts = parts;
      this.elements = elements;
    }

    private synchronized @Nullable ChunkProjection take() {
      return rest.hasNext() ? rest.next() : null;
    }

    void encode() {
      for (ChunkProjection next = take(); next != null; next = take()) {
        long[] index = next.chunkIndex();
        try {
          ElementMemory chunk = elements.apply(next);
          parts.put(index, chunk == null ? null : encodeInner(parts.layout(), index, chunk));
        } catch (ZarrException e) {
          throw e.at(Location.UNKNOWN.innerChunk(index));
        }
      }
    }
  }
}
