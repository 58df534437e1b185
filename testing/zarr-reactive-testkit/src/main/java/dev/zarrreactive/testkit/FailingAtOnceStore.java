package dev.zarrreactive.testkit;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/**
 * A store for tests, whose requests for single keys fail at once where the test says so: with a
 * {@link StoreException} on the thread of the subscription, before that returns, or thrown by the
 * method itself, or in a way that no store may. Listings never fail. Thread-safe.
 */
public final class FailingAtOnceStore extends DelegatingStore {
  private volatile Function<StoreKey, Failure> failures;

  private FailingAtOnceStore(Store delegate, Function<StoreKey, Failure> failures) {
    super(delegate);
    this.failures = failures;
  }

  /** How a request fails. */
  public enum Failure {
    /** The store answers it. */
    NONE,
    /** The publisher fails while it is subscribed to. */
    SIGNALLED,
    /** The method throws, and returns no publisher. */
    THROWN,
    /** The publisher throws while it is subscribed to, against the rules of Reactive Streams. */
    THROWN_BY_PUBLISHER,
    /** The method returns null in place of a publisher. */
    NO_PUBLISHER
  }

  /**
   * Returns {@code store} with failures.
   *
   * @param failures decides for each call of a method; called by any thread
   */
  public static FailingAtOnceStore of(Store store, Function<StoreKey, Failure> failures) {
    return new FailingAtOnceStore(store, failures);
  }

  /** Lets later requests fail as {@code failures} says. */
  public void fail(Function<StoreKey, Failure> failures) {
    this.failures = failures;
  }

  /** Lets no later request fail. */
  public void behave() {
    failures = key -> Failure.NONE;
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return request(key, () -> delegate().get(key));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return request(key, () -> delegate().get(key, range));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return request(key, () -> delegate().getVersioned(key, range, condition));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value) {
    return request(key, () -> delegate().set(key, value));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return request(key, () -> delegate().set(key, value, precondition));
  }

  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return request(key, () -> delegate().set(key, pieces, precondition));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return request(key, () -> delegate().erase(key));
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return request(key, () -> delegate().erase(key, version));
  }

  private <T> Mono<T> request(StoreKey key, Supplier<Mono<T>> answered) {
    return switch (failures.apply(key)) {
      case NONE -> answered.get();
      case SIGNALLED -> Mono.error(() -> refusal("refused at once", key));
      case THROWN -> throw refusal("thrown at once", key);
      case THROWN_BY_PUBLISHER -> new Throwing<>(refusal("thrown at once by a publisher", key));
      case NO_PUBLISHER -> none();
    };
  }

  @SuppressWarnings({"NullAway", "ReactorReturnsNull"})
  private static <T> Mono<T> none() {
    return null;
  }

  private static final class Throwing<T> extends Mono<T> {
    private final StoreException error;

    Throwing(StoreException error) {
      this.error = error;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      throw error;
    }
  }

  private static StoreException refusal(String message, StoreKey key) {
    return new StoreException(message, Location.ofKey(key.value()));
  }

  @Override
  public String toString() {
    return "FailingAtOnceStore[" + delegate() + "]";
  }
}
