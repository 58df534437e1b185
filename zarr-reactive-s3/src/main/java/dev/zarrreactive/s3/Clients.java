package dev.zarrreactive.s3;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.SdkAdvancedAsyncClientOption;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/** The client of one store: the user's own, or one that is made when the first request needs it. */
final class Clients {
  /** Shorter than servers wait, so that they seldom close what is about to be used. */
  private static final Duration IDLE = Duration.ofSeconds(30);

  /** Requests are admitted before the pool; what waits there waits for a connection to be made. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Without a region of their own, servers that are not Amazon's take this one. */
  private static final String REGION_OF_ENDPOINTS = "us-east-1";

  private final Mono<S3AsyncClient> client;
  private final AtomicReference<@Nullable S3AsyncClient> made = new AtomicReference<>();
  private final @Nullable HeldCredentials credentials;
  private final boolean mayBlock;
  private volatile boolean closed;

  private Clients(
      Mono<S3AsyncClient> client, @Nullable HeldCredentials credentials, boolean mayBlock) {
    this.client = mayBlock ? client : client.doOnNext(this::keep).cacheInvalidateIf(ready -> false);
    this.credentials = credentials;
    this.mayBlock = mayBlock;
  }

  /** A client of the application, which is not closed here; its calls may block. */
  static Clients given(S3AsyncClient client) {
    return new Clients(Mono.just(client), null, true);
  }

  /** A client that is made, once, where it may block; an error is not kept. */
  static Clients made(ClientSettings settings, int connections, Duration stallTimeout) {
    HeldCredentials credentials =
        settings.anonymous
            ? null
            : new HeldCredentials(
                () -> source(settings), settings.credentials == null, stallTimeout);
    return new Clients(
        Mono.fromCallable(() -> make(settings, connections, credentials))
            .subscribeOn(S3Threads.mayBlock()),
        credentials,
        false);
  }

  /** The client; with credentials, where they are looked up here. */
  Mono<S3AsyncClient> ready() {
    return Mono.defer(
        () ->
            closed
                ? Mono.error(new IllegalStateException("the store was closed"))
                : credentials == null ? client : credentials.ready().then(client));
  }

  /** True where a call of the client may block whoever makes it. */
  boolean mayBlock() {
    return mayBlock;
  }

  /** The server says that the credentials are too old. */
  void forgetCredentials() {
    if (credentials != null) {
      credentials.forget();
    }
  }

  /** Closes what was made here, where it may block. */
  Mono<Void> close() {
    return Mono.<Void>fromRunnable(this::closeNow).subscribeOn(S3Threads.mayBlock());
  }

  private void closeNow() {
    closed = true;
    S3AsyncClient client = made.getAndSet(null);
    if (client != null) {
      client.close();
    }
    if (credentials != null) {
      credentials.close();
    }
  }

  private void keep(S3AsyncClient client) {
    made.set(client);
    if (closed) {
      closeNow();
    }
  }

  private static IdentityProvider<? extends AwsCredentialsIdentity> source(
      ClientSettings settings) {
    if (settings.credentials != null) {
      return settings.credentials;
    }
    return settings.profile == null
        ? DefaultCredentialsProvider.builder().build()
        : ProfileCredentialsProvider.create(settings.profile);
  }

  private static S3AsyncClient make(
      ClientSettings settings, int connections, @Nullable HeldCredentials credentials) {
    boolean checksums = Boolean.TRUE.equals(settings.checksumsWhenSupported);
    S3AsyncClientBuilder builder =
        S3AsyncClient.builder()
            .region(region(settings))
            .forcePathStyle(settings.pathStyle())
            .credentialsProvider(
                credentials == null ? AnonymousCredentialsProvider.create() : credentials)
            .requestChecksumCalculation(
                checksums
                    ? RequestChecksumCalculation.WHEN_SUPPORTED
                    : RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(
                checksums
                    ? ResponseChecksumValidation.WHEN_SUPPORTED
                    : ResponseChecksumValidation.WHEN_REQUIRED)
            .serviceConfiguration(
                s3 -> s3.chunkedEncodingEnabled(checksums).expectContinueEnabled(false))
            .overrideConfiguration(all -> all.retryStrategy(AwsRetryStrategy.doNotRetry()))
            .asyncConfiguration(
                async ->
                    async.advancedOption(
                        SdkAdvancedAsyncClientOption.FUTURE_COMPLETION_EXECUTOR, Runnable::run))
            .httpClientBuilder(new CountedHttp(http(settings, connections), settings.counter));
    if (settings.endpoint != null) {
      builder.endpointOverride(settings.endpoint);
    }
    if (settings.profile != null) {
      builder.overrideConfiguration(
          builder.overrideConfiguration().toBuilder().defaultProfileName(settings.profile).build());
    }
    return builder.build();
  }

  /** Silence is looked for by the store, which knows what each request waits for. */
  private static NettyNioAsyncHttpClient.Builder http(ClientSettings settings, int connections) {
    return NettyNioAsyncHttpClient.builder()
        .eventLoopGroup(S3Threads.eventLoops())
        .maxConcurrency(connections)
        .maxPendingConnectionAcquires(Integer.MAX_VALUE)
        .connectionAcquisitionTimeout(PATIENCE)
        .connectionTimeout(settings.connectTimeout())
        .tlsNegotiationTimeout(settings.connectTimeout())
        .connectionMaxIdleTime(IDLE)
        .readTimeout(Duration.ZERO)
        .writeTimeout(Duration.ZERO);
  }

  private static Region region(ClientSettings settings) {
    if (settings.region != null) {
      return Region.of(settings.region);
    }
    if (settings.endpoint != null) {
      return Region.of(REGION_OF_ENDPOINTS);
    }
    try {
      DefaultAwsRegionProviderChain.Builder chain = DefaultAwsRegionProviderChain.builder();
      return (settings.profile == null ? chain : chain.profileName(settings.profile))
          .build()
          .getRegion();
    } catch (SdkClientException e) {
      throw new StoreException(
          "no region is known: say which, or set AWS_REGION, or the region of the profile",
          Location.UNKNOWN,
          e);
    }
  }
}
