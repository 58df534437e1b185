package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.sharing.AttemptShield;
import dev.zarrreactive.internal.sharing.ClosedConnection;
import dev.zarrreactive.internal.sharing.UploadRetries;
import dev.zarrreactive.internal.text.Durations;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreRetry;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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
  private final RetryOptions options;
  private final Scheduler timer;
  private final RetryBudget budget;
  private final Outage outage;

  RetryingStore(Store delegate, RetryOptions options, Scheduler timer) {
    super(delegate);
    this.options = options;
    this.timer = timer;
    this.budget = new RetryBudget(options.budget());
    this.outage = new Outage(options, timer, budget::take);
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return retry(Location.ofKey(key.value()), () -> delegate().get(key));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return retry(Location.ofKey(key.value()), () -> delegate().get(key, range));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return retry(Location.ofKey(key.value()), () -> delegate().getVersioned(key, range, condition));
  }

  @Override
  public @Nullable LocatedValues located() {
    return LocatedReads.over(
        delegate(),
        (below, object, range) ->
            retry(Location.ofKey(object.key().value()), () -> below.read(object, range)));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value) {
    return set(key, value, Precondition.NONE);
  }

  /**
   * Leaves it to the store to repeat the request of a conditional write, since the first attempt
   * may have made the condition false: a store that can tell its own value repeats it, any other
   * makes it once.
   */
  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return precondition.equals(Precondition.NONE)
        ? retry(Location.ofKey(key.value()), () -> delegate().set(key, value, precondition))
        : delegate()
            .set(key, value, precondition)
            .contextWrite(context -> UploadRetries.write(context, new Repeats(key, precondition)));
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
            .contextWrite(context -> UploadRetries.write(context, new Repeats(key, precondition)));
    return precondition.equals(Precondition.NONE)
        ? Mono.deferContextual(subscriber -> retryUpload(upload, new Attempts(place, subscriber)))
        : upload;
  }

  /**
   * Repeats single requests of one write. The deadline cuts off no conditional one, which may be of
   * any size; after it there is no further attempt.
   */
  private final class Repeats implements UploadRetries {
    private final Location place;
    private final boolean isConditional;

    Repeats(StoreKey key, Precondition precondition) {
      this.place = Location.ofKey(key.value());
      this.isConditional = !precondition.equals(Precondition.NONE);
    }

    @Override
    public <T> Mono<T> repeat(Mono<T> request) {
      return isConditional
          ? Mono.deferContextual(
              subscriber ->
                  RetryOptions.isOnce(subscriber)
                      ? request
                      : retryUpload(request, new Attempts(place, subscriber)))
          : retry(place, () -> request);
    }
  }

  private <T> Mono<T> retryUpload(Mono<T> upload, Attempts attempts) {
    return attempts
        .of(() -> upload)
        .retryWhen(attempts.again())
        .onErrorMap(
            IllegalStateException.class, once -> attempts.last == null ? once : attempts.last);
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return retry(Location.ofKey(key.value()), () -> delegate().erase(key));
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return retry(Location.ofKey(prefix.value()), () -> delegate().erasePrefix(prefix));
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

  private <T> Mono<T> retry(Location place, Supplier<Mono<T>> request) {
    return Mono.deferContextual(
        subscriber -> {
          if (RetryOptions.isOnce(subscriber)) {
            return request.get();
          }
          Attempts attempts = new Attempts(place, subscriber);
          return attempts
              .of(request)
              .retryWhen(attempts.again())
              .timeout(attempts.deadline(), Mono.error(attempts::late));
        });
  }

  /** Repeats a listing until its first element, which cannot be taken back once it is delivered. */
  private <T> Flux<T> listing(Location place, Supplier<Flux<T>> request) {
    return Flux.deferContextual(
        subscriber -> {
          Attempts attempts = new Attempts(place, subscriber);
          return Flux.defer(
                  () -> {
                    attempts.begin();
                    return request.get();
                  })
              .doOnNext(each -> attempts.delivers())
              .doOnComplete(attempts::answered)
              .doOnCancel(attempts::left)
              .retryWhen(attempts.again());
        });
  }

  /** Returns true if the connection of a request was lost, refused or could not be used. */
  private static boolean isLost(Throwable failure) {
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (ClosedConnection.isSaidBy(cause)
          || (message.contains("onnection") && message.contains("closed"))) {
        return true;
      }
    }
    return false;
  }

  /** The attempts of one request. */
  private final class Attempts {
    private final long start = timer.now(TimeUnit.MILLISECONDS);
    private final Location place;
    private final ContextView subscriber;
    private volatile boolean delivered;
    private volatile @Nullable Throwable last;

    /** The turn of the attempt under way, where it probes a server that was down. */
    private volatile Outage.@Nullable Turn probe;

    /** The losses of connections that were known when the attempt began. */
    private volatile long knownLosses;

    private int failures;
    private int outages;

    Attempts(Location place, ContextView subscriber) {
      this.place = place;
      this.subscriber = subscriber;
    }

    /** Returns {@code request}, an attempt for each subscription. */
    <T> Mono<T> of(Supplier<Mono<T>> request) {
      return Mono.defer(
              () -> {
                begin();
                Mono<T> attempt = request.get();
                return probe == null ? attempt : attempt.doOnCancel(this::left);
              })
          .doOnSuccess(value -> answered());
    }

    void begin() {
      knownLosses = budget.losses();
    }

    /** The attempt delivers an element, which cannot be taken back. */
    void delivers() {
      delivered = true;
      endProbe();
    }

    void answered() {
      budget.answered();
      outage.answered();
      endProbe();
    }

    /** The attempt was cancelled. */
    void left() {
      Outage.Turn mine = probe;
      if (mine != null) {
        outage.left(mine);
      }
    }

    private void endProbe() {
      Outage.Turn mine = probe;
      if (mine != null) {
        probe = null;
        outage.accepted(mine);
      }
    }

    Retry again() {
      return Retry.from(
          failures -> failures.concatMap(each -> next(each.failure(), each.totalRetries() + 2), 1));
    }

    /** Completes after a wait, or signals the error. */
    private Mono<?> next(Throwable failure, long attempt) {
      boolean isRefused = Outage.isSaidBy(failure);
      Outage.Turn probed = probe;
      probe = null;
      if (!isRefused) {
        outage.accepted(probed);
      }
      if (!(failure instanceof TransientStoreException passing) || delivered) {
        return Mono.error(failure);
      }
      last = failure;
      return isRefused ? awaitServer(failure, probed, attempt) : backOff(passing, attempt);
    }

    /** Waits until a server that refuses connections is up again. */
    private Mono<?> awaitServer(Throwable failure, Outage.@Nullable Turn probed, long attempt) {
      if (probed == null && ++outages > options.attempts()) {
        return Mono.error(failure);
      }
      long asked = now();
      Mono<Outage.Turn> turn =
          outage
              .next(failure, probed)
              .doOnNext(
                  mine -> {
                    probe = mine.isProbe() ? mine : null;
                    tell(attempt, Duration.ofMillis(now() - asked), failure);
                  });
      return AttemptShield.beforeAttempt(subscriber, turn);
    }

    private Mono<?> backOff(TransientStoreException failure, long attempt) {
      if (++failures >= options.attempts()) {
        return Mono.error(failure);
      }
      long most = Outage.longestWait(options, failures - 1);
      long wait = Environment.current().random(most / 2, most + 1);
      Duration asked = failure.retryAfter();
      if (asked != null) {
        wait = Math.max(wait, asked.toMillis());
      }
      if (now() - start + wait >= options.deadline().toMillis()) {
        return Mono.error(asked == null ? failure : tooLate(failure, asked));
      }
      if (!(isLost(failure) ? budget.takeForLoss(knownLosses) : budget.take())) {
        return Mono.error(failure);
      }
      Duration waited = Duration.ofMillis(wait);
      return AttemptShield.beforeAttempt(
          subscriber,
          Mono.defer(
              () -> {
                tell(attempt, waited, failure);
                return Mono.delay(waited, timer);
              }));
    }

    private void tell(long attempt, Duration waited, Throwable failure) {
      StoreRetry retry = new StoreRetry(place, (int) attempt, waited, failure);
      StoreObserver.tell(subscriber, told -> told.onRetry(retry));
    }

    private long now() {
      return timer.now(TimeUnit.MILLISECONDS);
    }

    private TransientStoreException tooLate(TransientStoreException failure, Duration asked) {
      return new TransientStoreException(
          failure.statement()
              + "; the server wants no retry for "
              + Durations.text(asked)
              + ", which is beyond the deadline of "
              + Durations.text(options.deadline())
              + " (RetryOptions.withDeadline)",
          failure.location(),
          asked);
    }

    /**
     * Fires at the deadline, unless a shield keeps the attempt in flight: a cancelled attempt
     * cannot report its end, for which the next writer waits.
     */
    Mono<Long> deadline() {
      return Mono.delay(options.deadline(), timer)
          .filter(time -> !AttemptShield.tryExpire(subscriber, this::late))
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
    private final AtomicLong losses = new AtomicLong();

    RetryBudget(int attempts) {
      this.full = (int) Math.min(Integer.MAX_VALUE, (long) attempts * ATTEMPT);
      this.tenths = new AtomicInteger(full);
    }

    /** Takes a retry from the bucket; returns false if it is empty. */
    boolean take() {
      return tenths.getAndUpdate(left -> left < ATTEMPT ? left : left - ATTEMPT) >= ATTEMPT;
    }

    /** Returns how often a loss of connections was paid for. */
    long losses() {
      return losses.get();
    }

    /**
     * Takes a retry for a lost connection. A server that dies takes all its connections with it:
     * only the first request pays, and those that were in flight with it do not.
     *
     * @param known the losses when the attempt began
     */
    boolean takeForLoss(long known) {
      return !losses.compareAndSet(known, known + 1) || take();
    }

    void answered() {
      tenths.updateAndGet(left -> Math.min(full, left + 1));
    }
  }
}
