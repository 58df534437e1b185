package dev.zarrreactive.s3;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.credential.Credentials;
import dev.zarrreactive.internal.credential.HeldCredential;
import dev.zarrreactive.internal.s3.http.S3Threads;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.ResolveIdentityRequest;

/**
 * The credentials of a client: those of a provider of the SDK, or of a source. They are looked up
 * before a request needs them, and the client receives the ones at hand at once.
 */
final class CachedCredentials implements IdentityProvider<AwsCredentialsIdentity> {
  private final Credentials credentials;
  private final Runnable closing;
  private volatile @Nullable Signer last;

  private CachedCredentials(Credentials credentials, Runnable closing) {
    this.credentials = credentials;
    this.closing = closing;
  }

  /** Returns the credentials of a source, which stores of equal sources share. */
  static CachedCredentials of(CredentialSource source) {
    return new CachedCredentials(Credentials.of(source), () -> {});
  }

  /**
   * Returns the credentials of a provider of the SDK.
   *
   * @param patience the timeout of a look-up
   */
  static CachedCredentials of(ProviderSource source, Duration patience) {
    return new CachedCredentials(
        new Credentials(source, patience, S3Threads.timer()), source::close);
  }

  /** Completes when credentials are at hand. */
  Mono<Void> lookUp() {
    return credentials.current().flatMap(CachedCredentials::checked);
  }

  private static Mono<Void> checked(HeldCredential held) {
    return isOfS3(held.credential())
        ? Mono.empty()
        : Mono.error(
            () ->
                new StoreException(
                    "a store over S3 signs with keys of AWS, and was given " + held,
                    Location.UNKNOWN));
  }

  private static boolean isOfS3(Credential credential) {
    return credential instanceof Credential.AwsKeys || credential instanceof Credential.Anonymous;
  }

  /** Returns true where fresh credentials are at hand. */
  boolean areReady() {
    HeldCredential known = credentials.known();
    return known != null && isOfS3(known.credential());
  }

  /** Returns the credentials at hand, with which requests are signed; null before the first are. */
  @Nullable Signer signer() {
    HeldCredential held = credentials.latest();
    if (held == null) {
      return null;
    }
    Signer known = last;
    if (known == null || known.held != held) {
      known = new Signer(held, identity(held.credential()));
      last = known;
    }
    return known;
  }

  /** Returns the credentials at hand; null before the first are. */
  @Nullable AwsCredentialsIdentity current() {
    Signer signer = signer();
    return signer == null ? null : signer.identity;
  }

  /** See {@link Credentials#again}. */
  <T> Mono<T> again(
      HeldCredential used,
      boolean isExpired,
      int renewals,
      Function<HeldCredential, Mono<T>> request,
      Mono<T> refused) {
    return credentials.again(used, isExpired, renewals, request, refused);
  }

  /** Returns the end of a message on a refusal: whose keys they were, and what to set. */
  String refusal() {
    return credentials.refusal();
  }

  /** Closes the provider of the SDK, if it was made here. Blocks. */
  void close() {
    closing.run();
  }

  private static AwsCredentialsIdentity identity(Credential credential) {
    if (credential instanceof Credential.AwsKeys keys) {
      String token = keys.sessionToken();
      return token == null
          ? AwsBasicCredentials.create(keys.accessKey(), keys.secretKey())
          : AwsSessionCredentials.create(keys.accessKey(), keys.secretKey(), token);
    }
    return AnonymousCredentialsProvider.create().resolveCredentials();
  }

  @Override
  public Class<AwsCredentialsIdentity> identityType() {
    return AwsCredentialsIdentity.class;
  }

  @Override
  public CompletableFuture<? extends AwsCredentialsIdentity> resolveIdentity(
      ResolveIdentityRequest request) {
    AwsCredentialsIdentity now = current();
    return now == null
        ? CompletableFuture.failedFuture(
            new IllegalStateException("no credentials were looked up yet"))
        : CompletableFuture.completedFuture(now);
  }

  /** The source, without secrets. */
  @Override
  public String toString() {
    return "Cached" + credentials;
  }

  /** A credential in the form of the SDK: one object for each, of which signers keep keys. */
  record Signer(HeldCredential held, AwsCredentialsIdentity identity) {
    /** The kind, without secrets. */
    @Override
    public String toString() {
      return held.toString();
    }
  }
}
