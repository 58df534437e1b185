package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.pipeline.DecodedChunks.Decoded;
import dev.zarrreactive.store.Bytes;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Fetches chunks and hops once to the codec scheduler for what is to be done with them. */
final class ChunkLoader {
  private final ArrayStorage array;
  private final Scheduler codecScheduler;

  ChunkLoader(ArrayStorage array) {
    this.array = array;
    this.codecScheduler = array.limits().codecScheduler();
  }

  /**
   * What became of a chunk.
   *
   * @param value what was made of it
   * @param held what is held for it; the bytes that it was made of are not to wait for its consumer
   */
  record Loaded<T>(T value, @Nullable HeldBytes held) {
    /** It is not held any more. */
    void handedOn() {
      if (held != null) {
        held.handedOn();
      }
    }
  }

  /**
   * Loads a chunk, from the store or from memory.
   *
   * @param decode what is to be done with its stored bytes
   * @param use what is to be done with the whole chunk, which is not to be changed
   * @param missing what is to be done where there is none
   */
  <T> Mono<Loaded<T>> load(
      EncodedChunk chunk,
      Reading reading,
      Function<Bytes, T> decode,
      Function<NdArray, T> use,
      Supplier<T> missing) {
    DecodedChunks decoded = array.client().decodedChunks();
    DecodedChunks.Id id = array.decodedId(chunk.wanted());
    if (decoded == null || id == null) {
      return load(chunk, decode, missing).map(value -> new Loaded<>(value, chunk.bytes().held()));
    }
    return kept(chunk, decoded, id, reading)
        .map(
            found -> {
              NdArray whole = found.value().chunk();
              return new Loaded<>(
                  inMemory(
                      () -> whole == null ? missing.get() : use.apply(whole),
                      chunk.wanted().decodedBytes()),
                  found.held());
            });
  }

  /**
   * A chunk from memory, from another operation that loads it, or from the store. A load is shared
   * only after its bytes are leased: until then it may wait for its subscriber, which may wait for
   * this one. So an operation that finds none to join leases bytes itself, and looks again when it
   * has them. Chunks in order lease theirs first, since these leases are granted in order.
   */
  private Mono<Loaded<Decoded>> kept(
      EncodedChunk chunk, DecodedChunks decoded, DecodedChunks.Id id, Reading reading) {
    NdArray known = chunk.known();
    if (known != null) {
      return Mono.just(new Loaded<>(new Decoded(known), null)).publishOn(codecScheduler);
    }
    Mono<Decoded> load =
        load(chunk, encoded -> new Decoded(decodeAlone(chunk, encoded)), () -> new Decoded(null));
    Mono<Loaded<Decoded>> own =
        decoded
            .load(id, chunk.wanted().decodedBytes(), load.takeUntilOther(reading.over()))
            .map(found -> new Loaded<>(found, chunk.bytes().held()));
    Mono<Loaded<Decoded>> found =
        unchanged(chunk, decoded, id, reading).switchIfEmpty(others(chunk, decoded, id));
    Mono<Void> leased = chunk.bytes().lease();
    return reading.isInOrder()
        ? leased.then(found.switchIfEmpty(own))
        : found.switchIfEmpty(leased.then(others(chunk, decoded, id).switchIfEmpty(own)));
  }

  /**
   * The chunk that is in memory for so long that the store is asked about it; empty where it is to
   * be loaded. Inner chunks in order are, since their shard is open by then.
   */
  private Mono<Loaded<Decoded>> unchanged(
      EncodedChunk chunk, DecodedChunks decoded, DecodedChunks.Id id, Reading reading) {
    return reading.isInOrder() && array.isSharded()
        ? Mono.empty()
        : decoded
            .revalidated(id)
            .publishOn(codecScheduler)
            .map(
                found -> {
                  chunk.bytes().skip();
                  return new Loaded<>(new Decoded(found), null);
                });
  }

  /** The chunk that another operation is loading; empty where none is, or its load fails. */
  private static Mono<Loaded<Decoded>> others(
      EncodedChunk chunk, DecodedChunks decoded, DecodedChunks.Id id) {
    return Mono.defer(
        () -> {
          Mono<Decoded> joined = decoded.join(id);
          return joined == null
              ? Mono.empty()
              : joined
                  .map(
                      found -> {
                        chunk.bytes().skip();
                        return new Loaded<>(found, null);
                      })
                  .onErrorResume(e -> Mono.empty());
        });
  }

  /** The chunk in memory of its own. */
  static NdArray decodeAlone(EncodedChunk chunk, Bytes encoded) {
    ChunkCodec codec = chunk.wanted().codec();
    if (!isPart(encoded)) {
      return codec.decode(encoded);
    }
    ChunkRepresentation decoded = codec.representation();
    ElementMemory memory = ElementMemory.allocate(decoded.dataType(), decoded.shape());
    codec.decodeInto(encoded, memory, 0);
    return memory.toNdArray(decoded.shape());
  }

  /** A chunk that is a view of such bytes would keep all that was fetched with it. */
  private static boolean isPart(Bytes encoded) {
    return encoded.unsafeArray().length / 2 > encoded.size();
  }

  /** Loads a chunk, and once more where it turns out to have been replaced meanwhile. */
  private <T> Mono<T> load(EncodedChunk chunk, Function<Bytes, T> decode, Supplier<T> missing) {
    ChunkBytes stored = chunk.bytes();
    Function<Bytes, T> told =
        array.client().telling().decoding(chunk.wanted().decodedBytes(), decode);
    long size = chunk.wanted().decodedBytes();
    return load(stored.fetch(), told, missing, size)
        .onErrorResume(ZarrException.class, e -> load(stored.fetchAnew(e), told, missing, size))
        .doOnSuccess(done -> stored.decoded())
        .onErrorMap(ZarrException.class, e -> located(e, chunk.wanted().location()));
  }

  /** What went wrong with a shard is not the fault of the inner chunk that was to be read. */
  private static ZarrException located(ZarrException failure, Location chunk) {
    return failure.location().chunkIndex() == null ? failure.at(chunk) : failure;
  }

  /**
   * Hops once to the codec scheduler for what is to be done with a chunk's stored bytes, or where
   * there are none.
   *
   * @param size of the decoded chunk in bytes
   */
  <T> Mono<T> load(
      Location location,
      Mono<Bytes> stored,
      Function<Bytes, T> decode,
      Supplier<T> missing,
      long size) {
    return load(stored, decode, missing, size).onErrorMap(ZarrException.class, e -> e.at(location));
  }

  private <T> Mono<T> load(
      Mono<Bytes> stored, Function<Bytes, T> decode, Supplier<T> missing, long size) {
    return stored
        .publishOn(codecScheduler)
        .map(encoded -> inMemory(() -> decode.apply(encoded), size))
        .switchIfEmpty(Mono.fromSupplier(() -> inMemory(missing, size)));
  }

  private static <T> T inMemory(Supplier<T> work, long size) {
    return MemoryGuard.allocating(
        "of a chunk; fewer chunks are held at a time with a smaller maxInFlightBytes",
        size,
        Location.UNKNOWN,
        work);
  }
}
