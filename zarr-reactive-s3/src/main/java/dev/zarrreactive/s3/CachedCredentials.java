package dev.zarrreactive.s3;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.s3.http.S3Threads;
import dev.zarrreactive.internal.sharing.SharedFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.ResolveIdentityRequest;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * Credentials that the store looks up on a thread that may block, before a request needs them.
 * Requests that wait share one look-up. The client receives the cached ones at once.
 */
final class CachedCredentials implements IdentityProvider<AwsCredentialsIdentity> {
  /** The time before the expiry at which they are looked up again. */
  private static final Duration EARLY = Duration.ofMinutes(2);

  /** The life of credentials without an expiry: their source may change. */
  private static final Duration KEPT = Duration.ofMinutes(5);

  private static final String ANONYMOUS =
      "; for a public bucket set anonymous (the command: --anonymous)";

  private static final String NOWHERE =
      "no credentials were found, in the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)"
          + " or a profile"
          + ANONYMOUS;

  private final AtomicReference<@Nullable IdentityProvider<? extends AwsCredentialsIdentity>>
      source = new AtomicReference<>();
  private final boolean sourceIsOurs;
  private final Mono<Held> looked;
  private volatile @Nullable Held held;

  /**
   * Credentials of a source.
   *
   * @param source made by the first look-up
   * @param ours true where {@link #close} closes the source
   * @param patience the timeout of a look-up
   */
  CachedCredentials(
      Callable<? extends IdentityProvider<? extends AwsCredentialsIdentity>> source,
      boolean ours,
      Duration patience) {
    this.sourceIsOurs = ours;
    this.looked =
        Mono.fromCallable(() -> source(source))
            .flatMap(made -> Mono.fromFuture(made::resolveIdentity))
            .map(CachedCredentials::held)
            .subscribeOn(S3Threads.mayBlock())
            .timeout(patience, S3Threads.timer())
            .onErrorMap(SdkClientException.class, CachedCredentials::missing)
            .doOnNext(found -> held = found)
            .cacheInvalidateIf(Held::isOld);
  }

  /** Completes when fresh credentials are at hand. A later request retries an error. */
  Mono<Void> lookUp() {
    return looked.then().onErrorMap(SharedFailure::forOne);
  }

  /** Returns true where fresh credentials are at hand. */
  boolean areReady() {
    Held now = held;
    return now != null && !now.isOld();
  }

  /** Returns the credentials at hand; null before the first are. */
  @Nullable AwsCredentialsIdentity current() {
    Held now = held;
    return now == null ? null : now.identity;
  }

  /**
   * Marks credentials as refused by the server. Newer credentials stay: the requests that were sent
   * before are refused one after the other.
   *
   * @param used the credentials of the request that was refused
   */
  void forget(@Nullable AwsCredentialsIdentity used) {
    Held refused = held;
    if (refused != null && refused.identity == used) {
      refused.refused = true;
    }
  }

  /** Closes the source. Blocks. */
  void close() {
    if (sourceIsOurs && source.getAndSet(null) instanceof SdkAutoCloseable closeable) {
      closeable.close();
    }
  }

  @Override
  public Class<AwsCredentialsIdentity> identityType() {
    return AwsCredentialsIdentity.class;
  }

  @Override
  public CompletableFuture<? extends AwsCredentialsIdentity> resolveIdentity(
      ResolveIdentityRequest request) {
    Held now = held;
    return now == null
        ? CompletableFuture.failedFuture(
            new IllegalStateException("no credentials were looked up yet"))
        : CompletableFuture.completedFuture(now.identity);
  }

  private IdentityProvider<? extends AwsCredentialsIdentity> source(
      Callable<? extends IdentityProvider<? extends AwsCredentialsIdentity>> made)
      throws Exception {
    IdentityProvider<? extends AwsCredentialsIdentity> known = source.get();
    if (known == null) {
      known = made.call();
      source.set(known);
    }
    return known;
  }

  /** Returns a short error: the SDK lists all of its providers, or all profiles of the file. */
  private static Throwable missing(SdkClientException error) {
    String message = String.valueOf(error.getMessage());
    if (message.startsWith("Profile file contained no credentials")) {
      int detail = message.indexOf(": ");
      String known = detail < 0 ? message : message.substring(0, detail);
      return new StoreException(
          "no credentials were found: " + known + ANONYMOUS, Location.UNKNOWN, error);
    }
    return message.startsWith("Unable to load credentials from any of the providers")
        ? new StoreException(NOWHERE, Location.UNKNOWN, error)
        : error;
  }

  private static Held held(AwsCredentialsIdentity identity) {
    Instant now = Instant.now();
    Instant until =
        identity.expirationTime().map(expires -> expires.minus(EARLY)).orElse(now.plus(KEPT));
    return new Held(identity, until);
  }

  /** The class without its secrets. */
  @Override
  public String toString() {
    return "CachedCredentials";
  }

  private static final class Held {
    private final AwsCredentialsIdentity identity;
    private final Instant until;
    private volatile boolean refused;

    Held(AwsCredentialsIdentity identity, Instant until) {
      this.identity = identity;
      this.until = until;
    }

    boolean isOld() {
      return refused || Instant.now().isAfter(until);
    }
  }
}
