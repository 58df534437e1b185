package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.Relay;
import dev.zarrreactive.spi.Spi;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.decorator.RequestLimit.LimitedStore;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.ContextView;

/**
 * The store below all decorators of {@link Stores}, next to which requests are limited and
 * measured: above it, a hit in a cache would wait for a permit, and a back-off would hold one. A
 * program that reads stores and has a request limit of its own, as a hierarchy has, adds the limit
 * here. Two origins are equal if they are the same store object.
 */
@Spi
public final class StoreOrigin {
  private final Store store;
  private final @Nullable OriginStore gate;
  private final boolean isLimited;

  private StoreOrigin(Store store, @Nullable OriginStore gate, boolean isLimited) {
    this.store = store;
    this.gate = gate;
    this.isLimited = isLimited;
  }

  /**
   * Returns the origin of {@code store}. It is found through every {@link DelegatingStore}; a store
   * without decorators of {@link Stores}, other than those that only rename or refuse, is its own.
   */
  public static StoreOrigin of(Store store) {
    boolean isLimited = false;
    for (Store each = store; each instanceof DelegatingStore next; each = next.delegate()) {
      isLimited |= each instanceof LimitedStore;
      if (each instanceof OriginStore gate) {
        return new StoreOrigin(gate.delegate(), gate, isLimited || gate.isLimited());
      }
    }
    return new StoreOrigin(store, null, isLimited);
  }

  /** Returns true where there is a decorator between the store and its origin. */
  public boolean isDecorated() {
    return gate != null;
  }

  /** Returns true where the store has a limit of its own, at its origin or above. */
  public boolean isLimited() {
    return isLimited;
  }

  /**
   * Returns {@code decorated}, a store with this origin, whose requests to the origin also keep to
   * {@code limit} and whose reads of the origin are measured. Other users of {@code decorated} are
   * not concerned. A method of {@code decorated} that throws becomes a publisher that fails, so
   * that it is an error of that request alone.
   *
   * @param limit null for none beside the store's own
   */
  public Store admitting(Store decorated, @Nullable RequestLimit limit, ReadProbe probe) {
    if (gate != null) {
      return new FailingStore(new AdmittedStore(decorated, gate, gate.admitted(limit, probe)));
    }
    Store failing = new FailingStore(new MeasuredStore(decorated, probe));
    return limit == null ? failing : new LimitedStore(failing, limit);
  }

  /**
   * Returns {@code store}, in which values of another store lie, for one read of these. The read is
   * measured at the origin of {@code store} if those who measure the other store are in the
   * subscriber's context.
   */
  public static Store measured(Store store, ContextView subscriber) {
    ReadProbe probe = subscriber.getOrDefault(ReadProbe.class, null);
    if (probe == null) {
      return store;
    }
    StoreOrigin origin = of(store);
    return origin.admitting(store, null, probe.of(origin));
  }

  /**
   * Returns true where both origins are at one server: they are equal, or were made with one limit
   * of requests, as stores that share their connections are.
   */
  public boolean isAtServerOf(StoreOrigin other) {
    RequestLimit limit = gate == null ? null : gate.limit();
    return equals(other) || (limit != null && other.gate != null && limit == other.gate.limit());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StoreOrigin that && store == that.store;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(store);
  }

  @Override
  public String toString() {
    return "StoreOrigin[" + store + "]";
  }

  /**
   * A store that never throws: what its delegate throws is the error of a publisher, also where it
   * throws while it is subscribed to, or has no publisher at all. Readers that share such a request
   * would wait for ever otherwise.
   */
  static final class FailingStore extends UniformStore {
    FailingStore(Store delegate) {
      super(delegate);
    }

    @Override
    <T> Mono<T> one(Function<Store, Mono<T>> operation) {
      Mono<T> request = request(operation, Mono::error);
      return new Mono<>() {
        @Override
        public void subscribe(CoreSubscriber<? super T> actual) {
          try {
            request.subscribe(actual);
          } catch (RuntimeException | Error e) {
            fail(actual, e);
          }
        }
      };
    }

    @Override
    <T> Flux<T> many(Function<Store, Flux<T>> operation) {
      Flux<T> request = request(operation, Flux::error);
      return new Flux<>() {
        @Override
        public void subscribe(CoreSubscriber<? super T> actual) {
          try {
            request.subscribe(actual);
          } catch (RuntimeException | Error e) {
            fail(actual, e);
          }
        }
      };
    }

    private <P extends Publisher<?>> P request(
        Function<Store, P> operation, Function<Throwable, P> error) {
      try {
        return published(operation.apply(delegate()), this);
      } catch (RuntimeException | Error e) {
        Exceptions.throwIfFatal(e);
        return error.apply(e);
      }
    }

    private static void fail(CoreSubscriber<?> actual, Throwable thrown) {
      Exceptions.throwIfFatal(thrown);
      Operators.reportThrowInSubscribe(actual, thrown);
    }

    @Override
    public String toString() {
      return delegate().toString();
    }
  }

  /** Returns the publisher that a store has returned; an error where that is null. */
  static <P extends Publisher<?>> P published(@Nullable P request, Store store) {
    if (request == null) {
      throw new StoreException(
          store + " has returned null, and no publisher, for a request", Location.UNKNOWN);
    }
    return request;
  }

  /** A store whose answers to reads are measured. */
  static final class MeasuredStore extends DelegatingStore {
    private final ReadProbe probe;
    private final boolean isElsewhere;

    MeasuredStore(Store delegate, ReadProbe probe) {
      super(delegate);
      this.probe = probe;
      this.isElsewhere = LocatedValues.of(delegate) != null;
    }

    @Override
    public @Nullable LocatedValues located() {
      return LocatedReads.over(
          delegate(), (below, object, range) -> measure(below.read(object, range), Bytes::size));
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return measure(delegate().get(key), Bytes::size);
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return measure(delegate().get(key, range), Bytes::size);
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
      return measure(
          delegate().getVersioned(key, range, condition),
          read -> {
            Bytes bytes = read.bytes();
            return bytes == null ? 0 : bytes.size();
          });
    }

    /** A store whose values lie in others lets those be measured, by {@link #measured}. */
    private <T> Mono<T> measure(Mono<T> request, ToLongFunction<T> size) {
      Mono<T> made = published(request, this);
      return isElsewhere
          ? made.contextWrite(context -> context.put(ReadProbe.class, probe))
          : new Measured<>(made, size, probe);
    }

    /** A read whose answer is measured from its subscription on. */
    private static final class Measured<T> extends Mono<T> {
      private final Mono<T> read;
      private final ToLongFunction<T> size;
      private final ReadProbe probe;

      Measured(Mono<T> read, ToLongFunction<T> size, ReadProbe probe) {
        this.read = read;
        this.size = size;
        this.probe = probe;
      }

      @Override
      public void subscribe(CoreSubscriber<? super T> actual) {
        long start = probe.nanoTime();
        read.subscribe(
            new Relay<T, T>(actual) {
              @Override
              public void onNext(T answer) {
                probe.answered(size.applyAsLong(answer), probe.nanoTime() - start);
                actual.onNext(answer);
              }
            });
      }
    }

    @Override
    public String toString() {
      return delegate().toString();
    }
  }

  /** A store whose requests pass another limit at the gate of its origin. */
  private static final class AdmittedStore extends UniformStore {
    private final OriginStore gate;
    private final Store way;

    /**
     * @param gate the gate at the origin of {@code delegate}
     * @param way the store that the gate uses instead of its own
     */
    AdmittedStore(Store delegate, OriginStore gate, Store way) {
      super(delegate);
      this.gate = gate;
      this.way = way;
    }

    @Override
    <T> Mono<T> one(Function<Store, Mono<T>> operation) {
      return operation.apply(delegate()).contextWrite(context -> context.put(gate, way));
    }

    @Override
    <T> Flux<T> many(Function<Store, Flux<T>> operation) {
      return operation.apply(delegate()).contextWrite(context -> context.put(gate, way));
    }

    @Override
    public String toString() {
      return delegate().toString();
    }
  }

  /**
   * Measures the reads of an origin, from the request to the last byte. Called by the threads of
   * the store, several at a time; a call returns quickly and throws nothing.
   */
  public interface ReadProbe {
    /** Returns the time, in nanoseconds since any fixed moment. */
    long nanoTime();

    /** Records a read that was answered with {@code bytes} after {@code nanos}. */
    void answered(long bytes, long nanos);

    /**
     * Returns the probe for an origin in which values of the measured store lie; by default this
     * one.
     */
    default ReadProbe of(StoreOrigin origin) {
      return this;
    }
  }

  /**
   * The base of a decorator that changes every operation in the same way. Operations on several
   * keys may be made of others instead.
   */
  abstract static class UniformStore extends DelegatingStore {
    UniformStore(Store delegate) {
      super(delegate);
    }

    /** Makes an operation that has one result or none. */
    abstract <T> Mono<T> one(Function<Store, Mono<T>> operation);

    /** Makes an operation that has several results. */
    abstract <T> Flux<T> many(Function<Store, Flux<T>> operation);

    @Override
    public final @Nullable LocatedValues located() {
      return LocatedReads.over(
          delegate(),
          (below, object, range) -> one(store -> LocatedReads.in(store).read(object, range)));
    }

    @Override
    public final Mono<Bytes> get(StoreKey key) {
      return one(store -> store.get(key));
    }

    @Override
    public final Mono<Bytes> get(StoreKey key, ByteRange range) {
      return one(store -> store.get(key, range));
    }

    @Override
    public final Mono<VersionedBytes> getVersioned(
        StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
      return one(store -> store.getVersioned(key, range, condition));
    }

    @Override
    public final Mono<Void> set(StoreKey key, Bytes value) {
      return one(store -> store.set(key, value));
    }

    @Override
    public final Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
      return one(store -> store.set(key, value, precondition));
    }

    @Override
    public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
      return one(store -> store.set(key, pieces, precondition));
    }

    @Override
    public final Mono<Void> erase(StoreKey key) {
      return one(store -> store.erase(key));
    }

    @Override
    public final Mono<Void> erase(StoreKey key, Version version) {
      return one(store -> store.erase(key, version));
    }

    @Override
    public final Mono<Void> erasePrefix(StorePrefix prefix) {
      return one(store -> store.erasePrefix(prefix));
    }

    @Override
    public final Flux<StoreKey> list() {
      return many(Store::list);
    }

    @Override
    public final Flux<StoreKey> listPrefix(StorePrefix prefix) {
      return many(store -> store.listPrefix(prefix));
    }

    @Override
    public final Flux<ListEntry.Key> listValues(StorePrefix prefix) {
      return many(store -> store.listValues(prefix));
    }

    @Override
    public final Flux<ListEntry> listDir(StorePrefix prefix) {
      return many(store -> store.listDir(prefix));
    }
  }
}
