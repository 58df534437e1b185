package dev.zarrreactive.store.decorator;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.sharing.AttemptShield;
import dev.zarrreactive.internal.sharing.UploadRetries;
import dev.zarrreactive.internal.text.Durations;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreRetry;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.StorePrefix;
import dev.zarrreactive.store.VersionedBytes;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;
import reactor.util.retry.Retry;

/** Repeats requests after transient errors if a repetition is harmless. */
final class RetryingStore extends DelegatingStore {
  /** The most attempts while the connection is refused; with the default waits, three seconds. */
  private static final int REFUSED_ATTEMPTS = 6;

  private final RetryOptions options;
  private final Scheduler timer;
  private final RetryBudget budget;

  RetryingStore(Store delegate, RetryOptions options, Scheduler timer) {
    super(delegate);
    this.options = options;
    this.timer = timer;
    this.budget = new RetryBudget(options.budget());
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return retried(Location.ofKey(key.value()), () -> delegate().get(key));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return retried(Location.ofKey(key.value()), () -> delegate().get(key, range));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return retried(
        Location.ofKey(key.value()), () -> delegate().getVersioned(key, range, condition));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value) {
    return set(key, value, Precondition.NONE);
  }

  /**
   * Makes a conditional write only once, since the first attempt may have made the condition false.
   */
  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return precondition == Precondition.NONE
        ? retried(Location.ofKey(key.value()), () -> delegate().set(key, value, precondition))
        : delegate().set(key, value, precondition);
  }

  /**
   * Repeats the requests that a store makes of the pieces, and all of an upload that is still
   * within the deadline, where the pieces can be repeated. An upload may take longer than the
   * deadline.
   */
  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    Location place = Location.ofKey(key.value());
    Mono<Void> upload =
        delegate()
            .set(key, pieces, precondition)
            .contextWrite(
                context ->
                    UploadRetries.write(
                        context,
                        new UploadRetries() {
                          @Override
                          public <T> Mono<T> repeated(Mono<T> request) {
                            return retried(place, () -> request);
                          }
                        }));
    return precondition == Precondition.NONE
        ? Mono.deferContextual(subscriber -> uploaded(upload, new Attempts(place, subscriber)))
        : upload;
  }

  private Mono<Void> uploaded(Mono<Void> upload, Attempts attempts) {
    return upload
        .doOnSuccess(done -> budget.answered())
        .retryWhen(attempts.again())
        .onErrorMap(
            IllegalStateException.class, once -> attempts.last == null ? once : attempts.last);
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return retried(Location.ofKey(key.value()), () -> delegate().erase(key));
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return retried(Location.ofKey(prefix.value()), () -> delegate().erasePrefix(prefix));
  }

  @Override
  public Flux<StoreKey> list() {
    return listing(Location.UNKNOWN, () -> delegate().list());
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return listing(Location.ofKey(prefix.value()), () -> delegate().listPrefix(prefix));
  }

  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return listing(Location.ofKey(prefix.value()), () -> delegate().listValues(prefix));
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return listing(Location.ofKey(prefix.value()), () -> delegate().listDir(prefix));
  }

  private <T> Mono<T> retried(Location place, Supplier<Mono<T>> request) {
    return Mono.deferContextual(
        subscriber -> {
          Attempts attempts = new Attempts(place, subscriber);
          return Mono.defer(request)
              .doOnSuccess(value -> budget.answered())
              .retryWhen(attempts.again())
              .timeout(attempts.deadline(), Mono.error(attempts::late));
        });
  }

  /** Repeats a listing until its first element, which cannot be taken back once it is delivered. */
  private <T> Flux<T> listing(Location place, Supplier<Flux<T>> request) {
    return Flux.deferContextual(
        subscriber -> {
          Attempts attempts = new Attempts(place, subscriber);
          return Flux.defer(request)
              .doOnNext(first -> attempts.begun = true)
              .doOnComplete(budget::answered)
              .retryWhen(attempts.again());
        });
  }

  /** Returns true if the connection was refused. */
  private static boolean refused(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException
          && String.valueOf(cause.getMessage()).contains("Connection refused")) {
        return true;
      }
    }
    return false;
  }

  /** The attempts of one request. */
  private final class Attempts {
    private final long start = timer.now(TimeUnit.MILLISECONDS);
    private volatile boolean begun;
    private volatile @Nullable Throwable last;
    private final Location place;
    private final ContextView subscriber;

    Attempts(Location place, ContextView subscriber) {
      this.place = place;
      this.subscriber = subscriber;
    }

    Retry again() {
      return Retry.from(
          failures -> failures.concatMap(each -> next(each.failure(), each.totalRetries()), 1));
    }

    /** Completes after the back-off, or signals the error. */
    private Mono<Long> next(Throwable failure, long retries) {
      if (!(failure instanceof TransientStoreException passing)
          || begun
          || retries + 1 >= attempts(failure)) {
        return Mono.error(failure);
      }
      last = failure;
      long wait = backoff(retries).toMillis();
      Duration asked = passing.retryAfter();
      if (asked != null) {
        wait = Math.max(wait, asked.toMillis());
      }
      long elapsed = timer.now(TimeUnit.MILLISECONDS) - start;
      if (elapsed + wait >= options.deadline().toMillis() || !budget.take()) {
        return Mono.error(failure);
      }
      Duration waited = Duration.ofMillis(wait);
      StoreRetry retry = new StoreRetry(place, (int) retries + 2, waited, failure);
      return AttemptShield.beforeAttempt(
          subscriber,
          Mono.defer(
              () -> {
                StoreObserver.tell(subscriber, told -> told.onRetry(retry));
                return Mono.delay(waited, timer);
              }));
    }

    /**
     * Returns the most attempts after a failure: few for a refused connection, since a restarting
     * server is back within seconds.
     */
    private int attempts(Throwable failure) {
      return refused(failure) ? Math.min(REFUSED_ATTEMPTS, options.attempts()) : options.attempts();
    }

    private Duration backoff(long retries) {
      long longest = options.longestBackoff().toMillis();
      long first = options.firstBackoff().toMillis();
      long most = retries >= 62 || first > longest >> retries ? longest : first << retries;
      return Duration.ofMillis(Environment.current().random(most / 2, most + 1));
    }

    /**
     * Fires at the deadline, unless a shield keeps the attempt in flight: a cancelled attempt
     * cannot report its end, for which the next writer waits.
     */
    Mono<Long> deadline() {
      return Mono.delay(options.deadline(), timer)
          .filter(time -> !AttemptShield.isLate(subscriber, this::late))
          .switchIfEmpty(Mono.never());
    }

    TransientStoreException late() {
      return new TransientStoreException(
          "no answer within the deadline of " + Durations.text(options.deadline()), place, last);
    }
  }

  /**
   * A token bucket of retries that all requests share, so that retries do not overload a server in
   * trouble. Counted in tenths: a retry takes ten, an answer adds one.
   */
  private static final class RetryBudget {
    private static final int ATTEMPT = 10;

    private final int full;
    private final AtomicInteger tenths;

    RetryBudget(int attempts) {
      this.full = (int) Math.min(Integer.MAX_VALUE, (long) attempts * ATTEMPT);
      this.tenths = new AtomicInteger(full);
    }

    /** Takes a retry from the bucket; returns false if it is empty. */
    boolean take() {
      return tenths.getAndUpdate(left -> left < ATTEMPT ? left : left - ATTEMPT) >= ATTEMPT;
    }

    void answered() {
      tenths.updateAndGet(left -> Math.min(full, left + 1));
    }
  }
}
