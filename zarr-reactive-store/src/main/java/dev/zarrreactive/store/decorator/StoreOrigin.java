package dev.zarrreactive.store.decorator;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * The store below all decorators of {@link Stores}, next to which requests are limited and
 * measured: above it, a hit in a cache would wait for a permit, and a back-off would hold one. For
 * a client of stores that brings a limit of its own, as a hierarchy does. Two origins are equal
 * where they refer to the same store object.
 */
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
      try {
        return new FailingMono<>(published(operation.apply(delegate()), this));
      } catch (RuntimeException | Error e) {
        Exceptions.throwIfFatal(e);
        return Mono.error(e);
      }
    }

    @Override
    <T> Flux<T> many(Function<Store, Flux<T>> operation) {
      try {
        return new FailingFlux<>(published(operation.apply(delegate()), this));
      } catch (RuntimeException | Error e) {
        Exceptions.throwIfFatal(e);
        return Flux.error(e);
      }
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

  private static void failed(CoreSubscriber<?> actual, Throwable thrown) {
    Exceptions.throwIfFatal(thrown);
    Operators.reportThrowInSubscribe(actual, thrown);
  }

  private static final class FailingMono<T> extends Mono<T> {
    private final Mono<T> request;

    FailingMono(Mono<T> request) {
      this.request = request;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      try {
        request.subscribe(actual);
      } catch (RuntimeException | Error e) {
        failed(actual, e);
      }
    }
  }

  private static final class FailingFlux<T> extends Flux<T> {
    private final Flux<T> request;

    FailingFlux(Flux<T> request) {
      this.request = request;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      try {
        request.subscribe(actual);
      } catch (RuntimeException | Error e) {
        failed(actual, e);
      }
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
  }
}
