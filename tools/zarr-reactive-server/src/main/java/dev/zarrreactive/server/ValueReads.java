package dev.zarrreactive.server;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Reads values for responses. Stores tell no sizes, so the size of a value comes from the refusal
 * of a range far behind its end. It is kept with the version; while a value has that version, its
 * size is not asked for again.
 */
final class ValueReads {
  /** An offset behind the end of every value. */
  private static final ByteRange BEYOND = new ByteRange.From(1L << 62);

  private static final ByteRange NOTHING = new ByteRange.Slice(0, 0);

  /** The number of sizes that are kept. */
  private static final int SIZES = 1 << 14;

  /** A value that changes under each attempt is an error in the end. */
  private static final int ATTEMPTS = 3;

  private final Store store;
  private final int leaseBytes;
  private final long readBytes;
  private final boolean readsRanges;
  private final Map<StoreKey, ValueState> states =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<StoreKey, ValueState> eldest) {
          return size() > SIZES;
        }
      };

  ValueReads(Store store, int readBytes) {
    this.store = store;
    this.leaseBytes = readBytes;
    this.readsRanges = store.capabilities().contains(StoreCapability.PARTIAL_READ);
    // a store that reads whole values for ranges reads each value once
    this.readBytes = readsRanges ? readBytes : Bytes.MAX_SIZE;
  }

  Store store() {
    return store;
  }

  /**
   * Asks for the version and the size, and for no bytes; empty for a missing value. A store without
   * ranges reads the value.
   */
  Mono<ValueState> state(StoreKey key) {
    return readsRanges
        ? Mono.defer(() -> freshState(key))
            .retryWhen(
                Retry.max(ATTEMPTS)
                    .filter(PreconditionFailedException.class::isInstance)
                    .onRetryExhaustedThrow((spec, last) -> last.failure()))
        : store
            .getVersioned(key, null, ReadCondition.ALWAYS)
            .map(read -> ValueState.of(read.version(), bytes(read).size()));
  }

  private Mono<ValueState> freshState(StoreKey key) {
    return store
        .getVersioned(key, NOTHING, ReadCondition.ALWAYS)
        .flatMap(
            read -> {
              ValueState known = known(key);
              return read.version() != null
                      && known != null
                      && read.version().equals(known.version())
                  ? Mono.just(known)
                  : measured(key, ValueState.of(read.version(), -1));
            });
  }

  private Mono<ValueState> measured(StoreKey key, ValueState unmeasured) {
    return store
        .getVersioned(key, BEYOND, unmeasured.required())
        .<ValueState>flatMap(
            read ->
                Mono.error(
                    new StoreException(
                        store + " returned bytes from an offset of 2^62",
                        Location.ofKey(key.value()))))
        .onErrorResume(
            RangeOutOfBoundsException.class,
            e -> Mono.just(state(key, unmeasured.version(), e.size())));
  }

  /** Returns the state of an earlier read, which may be stale; null where there is none. */
  @Nullable ValueState known(StoreKey key) {
    synchronized (states) {
      return states.get(key);
    }
  }

  /** Returns a state, which is kept where the store has versions. */
  ValueState state(StoreKey key, @Nullable Version version, long size) {
    ValueState known = known(key);
    if (known != null && known.size() == size && Objects.equals(known.version(), version)) {
      return known;
    }
    ValueState state = ValueState.of(version, size);
    if (version != null) {
      synchronized (states) {
        states.put(key, state);
      }
    }
    return state;
  }

  /** Forgets a state that was stale. */
  void forget(StoreKey key) {
    synchronized (states) {
      states.remove(key);
    }
  }

  /** Returns the bytes to lease for a value of unknown size. */
  int leaseBytes() {
    return leaseBytes;
  }

  /**
   * Returns the bytes to lease first for a value of unknown size: those of a small value where
   * other responses hold the memory, so that it passes them. A store that reads whole values for
   * ranges would read a large one, too.
   */
  long firstLease(ResponseMemory memory) {
    return readsRanges && memory.isCrowded(leaseBytes)
        ? Math.min(leaseBytes, ByteBudget.SMALL)
        : leaseBytes;
  }

  /** Returns the most bytes of one request to the store. */
  long readBytes() {
    return readBytes;
  }

  /**
   * Reads a whole value.
   *
   * @param most the most bytes of the value, if the store reads ranges
   * @param known a version for which no bytes are needed
   */
  Mono<VersionedBytes> whole(StoreKey key, ReadCondition known, long most) {
    ReadCondition condition =
        store.capabilities().contains(StoreCapability.VERSIONS) ? known : ReadCondition.ALWAYS;
    return store.getVersioned(key, readsRanges ? ByteRange.whole(most) : null, condition);
  }

  /** Reads the first bytes of a part, as many as one request may have. */
  Mono<ResponseMemory.Part> first(
      StoreKey key, ValueState state, RangeHeader.Part part, ResponseMemory memory) {
    long length = Math.min(part.size(), readBytes);
    return slice(key, state, part.offset(), length, part.size(), memory);
  }

  /** Reads the bytes of a part behind the {@link #first} ones, on demand. */
  Flux<QueueWindow.Piece> rest(
      StoreKey key, ValueState state, RangeHeader.Part part, ResponseMemory memory) {
    long requests = (part.size() - 1) / readBytes;
    return Flux.<Long, Long>generate(
            () -> 1L,
            (number, sink) -> {
              if (number > requests) {
                sink.complete();
              } else {
                sink.next(part.offset() + number * readBytes);
              }
              return number + 1;
            })
        .concatMap(
            offset ->
                slice(
                        key,
                        state,
                        offset,
                        Math.min(part.end() - offset, readBytes),
                        part.size(),
                        memory)
                    .switchIfEmpty(Mono.error(() -> changed(key)))
                    .flatMapMany(ResponseMemory.Part::pieces),
            0);
  }

  private Mono<ResponseMemory.Part> slice(
      StoreKey key, ValueState state, long offset, long length, long whole, ResponseMemory memory) {
    return memory.leased(
        length,
        whole,
        target ->
            store
                .getVersioned(key, new ByteRange.Slice(offset, length), state.required())
                .map(read -> target.fill(checked(key, bytes(read), length))));
  }

  private Bytes checked(StoreKey key, Bytes bytes, long length) {
    if (bytes.size() != length) {
      throw new StoreException(
          store + " returned " + bytes.size() + " bytes instead of " + length,
          Location.ofKey(key.value()));
    }
    return bytes;
  }

  private static StoreException changed(StoreKey key) {
    return new StoreException(
        "the value was erased while it was sent", Location.ofKey(key.value()));
  }

  private static Bytes bytes(VersionedBytes read) {
    return Objects.requireNonNull(read.bytes());
  }
}
