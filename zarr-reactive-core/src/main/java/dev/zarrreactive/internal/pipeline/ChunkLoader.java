package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
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
                  inMemory(() -> whole == null ? missing.get() : use.apply(whole)), found.held());
            });
  }

  /** A chunk from memory, from somebody else who is loading it, or from the store. */
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
    return unchanged(chunk, decoded, id, reading)
        .switchIfEmpty(reading.isInOrder() ? own : others(chunk, decoded, id).switchIfEmpty(own));
  }

  /**
   * The chunk that is in memory for so long that it is asked about; empty where it is to be loaded.
   * Inner chunks in order are: their shard would wait for them to lease their bytes.
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

  /**
   * The chunk that somebody else is loading; empty where nobody is, or nothing comes of it. Not for
   * chunks in order, whose bytes are leased one after the other.
   */
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
    return load(stored.fetch(), told, missing)
        .onErrorResume(ZarrException.class, e -> load(stored.fetchAnew(e), told, missing))
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
   */
  <T> Mono<T> load(
      Location location, Mono<Bytes> stored, Function<Bytes, T> decode, Supplier<T> missing) {
    return load(stored, decode, missing).onErrorMap(ZarrException.class, e -> e.at(location));
  }

  private <T> Mono<T> load(Mono<Bytes> stored, Function<Bytes, T> decode, Supplier<T> missing) {
    return stored
        .publishOn(codecScheduler)
        .map(encoded -> inMemory(() -> decode.apply(encoded)))
        .switchIfEmpty(Mono.fromSupplier(() -> inMemory(missing)));
  }

  /** Memory that does not suffice would end the thread, and the subscriber would wait for ever. */
  private static <T> T inMemory(Supplier<T> work) {
    try {
      return work.get();
    } catch (OutOfMemoryError e) {
      throw new CodecException(
          "not enough memory for the chunk; fewer are held at a time with a smaller"
              + " maxInFlightBytes",
          Location.UNKNOWN,
          e);
    }
  }
}
