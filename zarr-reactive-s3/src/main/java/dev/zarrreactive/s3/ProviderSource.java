package dev.zarrreactive.s3;

import dev.zarrreactive.internal.s3.http.S3Threads;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** A provider of the SDK, which may block: it is called on threads that may. */
final class ProviderSource implements CredentialSource {
  /** The life of credentials without an expiry: their provider may change. */
  private static final Duration KEPT = Duration.ofMinutes(5);

  private final String name;
  private final Callable<? extends IdentityProvider<? extends AwsCredentialsIdentity>> made;
  private final boolean isOurs;
  private final @Nullable String profile;
  private final AtomicReference<@Nullable IdentityProvider<? extends AwsCredentialsIdentity>>
      provider = new AtomicReference<>();

  /**
   * A source over a provider.
   *
   * @param made makes the provider at the first look-up
   * @param ours true where {@link #close} closes it
   * @param profile that the provider looks into; null for that of the environment, or none
   */
  ProviderSource(
      String name,
      Callable<? extends IdentityProvider<? extends AwsCredentialsIdentity>> made,
      boolean ours,
      @Nullable String profile) {
    this.name = name;
    this.made = made;
    this.isOurs = ours;
    this.profile = profile;
  }

  @Override
  public Mono<ExpiringCredential> credential() {
    return Mono.fromCallable(this::provider)
        .flatMap(known -> Mono.fromFuture(known::resolveIdentity))
        .map(ProviderSource::credential)
        .subscribeOn(S3Threads.mayBlock())
        .onErrorMap(error -> ProviderErrors.of(error, profile));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String advice() {
    return isOurs ? "the option profile, or AWS_PROFILE, takes those of another" : "";
  }

  private IdentityProvider<? extends AwsCredentialsIdentity> provider() throws Exception {
    IdentityProvider<? extends AwsCredentialsIdentity> known = provider.get();
    if (known == null) {
      known = made.call();
      provider.set(known);
    }
    return known;
  }

  private static ExpiringCredential credential(AwsCredentialsIdentity identity) {
    String accessKey = identity.accessKeyId();
    Credential credential =
        accessKey == null
            ? Credential.anonymous()
            : new Credential.AwsKeys(
                accessKey,
                identity.secretAccessKey(),
                identity instanceof AwsSessionCredentialsIdentity session
                    ? session.sessionToken()
                    : null);
    return identity
        .expirationTime()
        .map(expiry -> ExpiringCredential.until(expiry, credential))
        .orElseGet(
            () -> ExpiringCredential.lasting(credential).renewedAfter(Instant.now().plus(KEPT)));
  }

  /** Closes the provider, if it was made here. Blocks. */
  void close() {
    if (isOurs && provider.getAndSet(null) instanceof SdkAutoCloseable closeable) {
      closeable.close();
    }
  }

  /** The name, without secrets. */
  @Override
  public String toString() {
    return "ProviderSource[" + name + "]";
  }
}
