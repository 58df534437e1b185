package dev.zarrreactive.internal.credential;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.sharing.SharedRequest;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Keeps the credential of a source, and renews it. One look-up at a time serves all requests that
 * wait for it:
 *
 * <ul>
 *   <li>the first request looks it up;
 *   <li>near the expiry one request looks up the next one, while the others use the old one;
 *   <li>a request that was refused looks it up again, once ({@link #again}).
 * </ul>
 *
 * A look-up that fails leaves the old credential while it is valid. Without one each request fails
 * with the reason, and a back-off passes before the next look-up. The cancel of the last request
 * that waits cancels the look-up. No thread waits. Thread-safe.
 */
public final class Credentials {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The longest time before the expiry at which a request looks up the next credential. */
  private static final long MOST_AHEAD = TimeUnit.MINUTES.toMillis(5);

  /** The most renewals of one request. */
  private static final int MOST_RENEWALS = 10;

  /** The least time between look-ups that a source asks for by its renewal. */
  private static final long LEAST_KEPT = 100;

  private static final Map<CredentialSource, WeakReference<Credentials>> SHARED = new HashMap<>();

  private final CredentialSource source;
  private final Duration patience;
  private final Scheduler timer;
  private final SharedRequest.Owner<HeldCredential> owner = new LookUps();
  private volatile @Nullable HeldCredential held;

  // under the monitor of this
  private @Nullable SharedRequest<HeldCredential> lookUp;
  private final BackOff failures = new BackOff();
  private final BackOff refusals = new BackOff();
  private @Nullable Throwable reason;

  /**
   * Returns the credentials of a source, which all stores of equal sources share as long as one of
   * them is reachable. A look-up may take 30 seconds.
   */
  public static Credentials of(CredentialSource source) {
    synchronized (SHARED) {
      SHARED.values().removeIf(each -> each.refersTo(null));
      WeakReference<Credentials> known = SHARED.get(source);
      Credentials shared = known == null ? null : known.get();
      if (shared == null) {
        shared = new Credentials(source, PATIENCE, Environment.current().timer());
        SHARED.put(source, new WeakReference<>(shared));
      }
      return shared;
    }
  }

  /**
   * Keeps the credentials of a source.
   *
   * @param patience the timeout of a look-up
   * @param timer whose time is compared with expiries
   */
  public Credentials(CredentialSource source, Duration patience, Scheduler timer) {
    this.source = source;
    this.patience = patience;
    this.timer = timer;
  }

  /** Returns the end of a message on a refusal: whose credential it was, and what to set. */
  public String refusal() {
    String advice = source.advice();
    return "; it refuses the request with the credential of "
        + source.name()
        + (advice.isEmpty() ? "" : ": " + advice);
  }

  /** Returns the credential at hand; null where a request must ask {@link #current}. */
  public @Nullable HeldCredential known() {
    HeldCredential now = held;
    if (now == null) {
      return null;
    }
    long time = now();
    return now.isValid(time) && !now.isDue(time) ? now : null;
  }

  /** Returns what the last look-up gave, valid or not; null before the first one. */
  public @Nullable HeldCredential latest() {
    return held;
  }

  /** Emits the credential for a request. Its error has no place yet. */
  public Mono<HeldCredential> current() {
    return Mono.defer(
        () -> {
          HeldCredential known = known();
          return known != null ? Mono.just(known) : lookedUp();
        });
  }

  /**
   * Sends a request that was refused once more, with another credential.
   *
   * @param isUnauthorized see {@link #renewedAfter}
   * @param renewals of this request before
   * @param request sends it with the credential, one renewal later
   * @param refused ends it where no other credential would help
   */
  public <T> Mono<T> again(
      HeldCredential used,
      boolean isUnauthorized,
      int renewals,
      Function<HeldCredential, Mono<T>> request,
      Mono<T> refused) {
    return renewedAfter(used, isUnauthorized, renewals)
        .map(request)
        .defaultIfEmpty(refused)
        .flatMap(last -> last);
  }

  /**
   * Emits another credential for a request that was refused; empty where none would help. Requests
   * that were refused one after the other share one look-up.
   *
   * @param used by the request
   * @param isUnauthorized true where the server says that the credential is not valid, by 401 or a
   *     code such as {@code ExpiredToken}; false where only an expiry explains its refusal, by 403
   * @param renewals of this request before; a second one is for a credential that has expired while
   *     the request waited for its connection
   */
  Mono<HeldCredential> renewedAfter(HeldCredential used, boolean isUnauthorized, int renewals) {
    return Mono.defer(
        () ->
            isSpent(used, isUnauthorized, renewals)
                ? current().filter(next -> !next.credential().equals(used.credential()))
                : Mono.empty());
  }

  /** Decides whether the refusal is the end of a credential, which no request uses any more. */
  private synchronized boolean isSpent(HeldCredential used, boolean isUnauthorized, int renewals) {
    long time = now();
    boolean isExplained = used.isDue(time);
    if (renewals >= (isExplained ? MOST_RENEWALS : 1)) {
      return false;
    }
    HeldCredential now = held;
    if (now != used || used.isRefused()) {
      return true; // another request has renewed it, or is about to
    }
    if (!isUnauthorized && !isExplained) {
      return false;
    }
    if (used.wasAccepted()) {
      refusals.reset();
    } else if (refusals.rest(time) > 0) {
      return false; // the server refuses whatever the source gives
    }
    refusals.failed(time, 0);
    used.refuse();
    return true;
  }

  /** Joins or begins a look-up. */
  private Mono<HeldCredential> lookedUp() {
    HeldCredential old;
    Mono<HeldCredential> next;
    synchronized (this) {
      HeldCredential last = held;
      long time = now();
      old = last != null && last.isValid(time) ? last : null;
      if (old != null && (lookUp != null || !old.isDue(time) || failures.rest(time) > 0)) {
        return Mono.just(old);
      }
      next = lookUp == null ? null : lookUp.tryJoin();
      if (next == null) {
        long wait = failures.rest(time);
        if (wait > 0) {
          return Mono.error(failure(reason, wait));
        }
        SharedRequest<HeldCredential> begun = new SharedRequest<>(asked(), owner);
        lookUp = begun;
        next = Objects.requireNonNull(begun.tryJoin());
      }
    }
    return old == null ? next : next.onErrorResume(e -> stillValid(old, e));
  }

  private Mono<HeldCredential> stillValid(HeldCredential old, Throwable error) {
    return old.isValid(now()) ? Mono.just(old) : Mono.error(error);
  }

  /** One look-up. */
  private Mono<HeldCredential> asked() {
    return Mono.defer(source::credential)
        .switchIfEmpty(Mono.error(() -> new StoreException("it gave none", Location.UNKNOWN)))
        .timeout(patience, Mono.error(this::late), timer)
        .map(this::checked)
        .onErrorMap(e -> !(e instanceof Error), this::failed);
  }

  private TransientStoreException late() {
    return new TransientStoreException(
        "no answer within " + patience.toMillis() + " ms", Location.UNKNOWN);
  }

  private HeldCredential checked(ExpiringCredential given) {
    Instant expiry = given.expiry();
    Instant renewal = given.renewal();
    long time = now();
    long expires = expiry == null ? Long.MAX_VALUE : expiry.toEpochMilli();
    if (expires <= time) {
      throw new TransientStoreException(
          "it gave one that has expired at " + expiry + "; is the clock of this machine right?",
          Location.UNKNOWN);
    }
    long due = expiry == null ? Long.MAX_VALUE : ahead(time, expires);
    long wanted = renewal == null ? Long.MAX_VALUE : renewal.toEpochMilli();
    return new HeldCredential(
        given.credential(), expiry, expires, Math.min(due, Math.max(wanted, time + LEAST_KEPT)));
  }

  /** Returns a moment in the last quarter of a life; processes that began together differ in it. */
  private static long ahead(long now, long expires) {
    long most = Math.min(MOST_AHEAD, (expires - now) / 4);
    return expires - most + Environment.current().random(0, most / 2 + 1);
  }

  private StoreException failed(Throwable error) {
    long wait;
    synchronized (this) {
      Duration wanted = error instanceof TransientStoreException later ? later.retryAfter() : null;
      failures.failed(now(), wanted == null ? 0 : wanted.toMillis());
      wait = failures.rest(now());
      reason = error;
    }
    return failure(error, wait);
  }

  /**
   * Returns the error of a request.
   *
   * @param wait the milliseconds before the next look-up
   */
  private StoreException failure(@Nullable Throwable error, long wait) {
    String statement = "no credential from " + source.name() + ": " + reasonOf(error);
    if (error != null && isTransient(error)) {
      StoreException passing =
          new TransientStoreException(statement, Location.UNKNOWN, Duration.ofMillis(wait));
      passing.addSuppressed(error);
      return passing;
    }
    return error instanceof AccessDeniedException
        ? new AccessDeniedException(statement, Location.UNKNOWN, error)
        : new StoreException(statement, Location.UNKNOWN, error);
  }

  private static String reasonOf(@Nullable Throwable error) {
    if (error instanceof ZarrException ours) {
      return ours.statement();
    }
    String message = error == null ? "" : error.getMessage();
    return message == null ? String.valueOf(error) : message;
  }

  private static boolean isTransient(Throwable error) {
    return error instanceof TransientStoreException
        || error instanceof IOException
        || error instanceof TimeoutException;
  }

  private long now() {
    return timer.now(TimeUnit.MILLISECONDS);
  }

  /** The source, without secrets. */
  @Override
  public String toString() {
    return "Credentials[" + source.name() + "]";
  }

  /** Keeps the outcome before the requests get it. */
  private final class LookUps implements SharedRequest.Owner<HeldCredential> {
    @Override
    public void answered(SharedRequest<HeldCredential> request, @Nullable HeldCredential answer) {
      synchronized (Credentials.this) {
        held = answer;
        failures.reset();
        reason = null;
      }
      ended(request);
    }

    @Override
    public void failed(SharedRequest<HeldCredential> request) {
      ended(request);
    }

    @Override
    public void abandoned(SharedRequest<HeldCredential> request) {
      ended(request);
    }

    private void ended(SharedRequest<HeldCredential> request) {
      synchronized (Credentials.this) {
        if (lookUp == request) {
          lookUp = null;
        }
      }
    }
  }
}
