package dev.zarrreactive.s3;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
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
 * Credentials that are looked up before a request needs them, on a thread that may block, by one
 * for all who wait. The client is given what is held, at once.
 */
final class CachedCredentials implements IdentityProvider<AwsCredentialsIdentity> {
  /** Asked for again so long before they expire. */
  private static final Duration EARLY = Duration.ofMinutes(2);

  /** How long those are kept that do not say when they expire: their source may have changed. */
  private static final Duration KEPT = Duration.ofMinutes(5);

  private static final String ANONYMOUS =
      "; for a public bucket set anonymous (the command: --anonymous)";

  private static final String NOWHERE =
      "no credentials were found, in the environment or a profile" + ANONYMOUS;

  private final AtomicReference<@Nullable IdentityProvider<? extends AwsCredentialsIdentity>>
      source = new AtomicReference<>();
  private final boolean sourceIsOurs;
  private final Mono<Held> looked;
  private volatile @Nullable Held held;

  /**
   * Credentials of a source.
   *
   * @param source made when the first request needs it, where it may block
   * @param ours true where this closes it
   * @param patience how long a look-up may take
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

  /** Completes when there are credentials that will do for a while; an error is not kept. */
  Mono<Void> ready() {
    return looked.then();
  }

  /** Those that are held have been refused. */
  void forget() {
    Held refused = held;
    if (refused != null) {
      refused.refused = true;
    }
  }

  /** Where blocking is allowed. */
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
        ? CompletableFuture.failedFuture(new IllegalStateException("no credentials are held yet"))
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

  /** The SDK lists all places that it looked at, or all that is in the profile file. */
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

  /** Shows no secret. */
  @Override
  public String toString() {
    return "HeldCredentials";
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
