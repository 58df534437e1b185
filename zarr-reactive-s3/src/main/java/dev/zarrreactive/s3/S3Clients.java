package dev.zarrreactive.s3;

import dev.zarrreactive.internal.s3.get.SignedGets;
import dev.zarrreactive.internal.s3.http.CancellableHttp;
import dev.zarrreactive.internal.s3.http.HiddenErrors;
import dev.zarrreactive.internal.s3.http.S3Threads;
import dev.zarrreactive.internal.s3.http.StallWatch;
import dev.zarrreactive.internal.s3.http.UnsignedPayload;
import dev.zarrreactive.internal.sharing.SharedFailure;
import dev.zarrreactive.internal.transfer.SharedResources;
import dev.zarrreactive.internal.transfer.TransferSettings;
import dev.zarrreactive.internal.transfer.UserAgent;
import dev.zarrreactive.store.credential.TlsMaterial;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.SdkAdvancedAsyncClientOption;
import software.amazon.awssdk.core.client.config.SdkAdvancedClientOption;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/**
 * The client of one store: one that the application gave, or one that the first request makes and
 * several stores may share.
 */
final class S3Clients {
  /** Shorter than the idle timeouts of servers, which then seldom close a connection in use. */
  private static final Duration IDLE = Duration.ofSeconds(30);

  /**
   * The limit comes before the pool: a request that waits in the pool waits for a new connection.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Mono<Regional> client;

  /**
   * The clients that were made here, the current one first: a second one after a change of region.
   */
  private final Deque<S3AsyncClient> made = new ConcurrentLinkedDeque<>();

  private final BucketRegion region;
  private final @Nullable CachedCredentials credentials;
  private final boolean mayBlock;
  private final @Nullable DirectReads reads;

  /** The client that was made last; null before the first request that needs one. */
  private volatile @Nullable Regional current;

  private final SharedResources.@Nullable Lease<SharedS3Client> lease;
  private volatile boolean closed;

  private S3Clients(
      Mono<Regional> client,
      BucketRegion region,
      @Nullable CachedCredentials credentials,
      boolean mayBlock,
      @Nullable DirectReads reads) {
    this.region = region;
    this.reads = reads;
    this.client =
        mayBlock
            ? client
            : client
                .doOnNext(this::keep)
                .cacheInvalidateIf(held -> hasLeft(held.region()))
                .onErrorMap(SharedFailure::forOne);
    this.credentials = credentials;
    this.mayBlock = mayBlock;
    this.lease = null;
  }

  private S3Clients(SharedResources.Lease<SharedS3Client> lease) {
    this.region = lease.resource().clients().region;
    this.client = lease.resource().clients().client();
    this.credentials = null;
    this.mayBlock = false;
    this.reads = null;
    this.lease = lease;
  }

  /** Returns a client of several stores, which the last of them closes. */
  static S3Clients leased(SharedResources.Lease<SharedS3Client> lease) {
    return new S3Clients(lease);
  }

  /** Returns a client of the application, which closes it; its calls may block. */
  static S3Clients given(S3AsyncClient client) {
    return new S3Clients(
        Mono.just(new Regional(client, "")), BucketRegion.UNKNOWN, null, true, null);
  }

  /**
   * Returns a client that is made once, on a thread that may block. A later request retries an
   * error.
   */
  static S3Clients made(ClientSettings settings) {
    CachedCredentials credentials =
        settings.anonymous
            ? null
            : settings.source != null
                ? CachedCredentials.of(settings.source)
                : CachedCredentials.of(source(settings), settings.transfer.stallTimeout());
    BucketRegion region = new BucketRegion(settings);
    return new S3Clients(
        Mono.fromCallable(() -> make(settings, region.region(), credentials))
            .subscribeOn(S3Threads.mayBlock()),
        region,
        credentials,
        false,
        new DirectReads(settings, region, credentials));
  }

  /** Emits the client, when its credentials are at hand. */
  Mono<Regional> client() {
    return Mono.defer(
        () -> {
          Regional known = origin().known();
          return closed
              ? Mono.error(closed())
              : known != null
                  ? Mono.just(known)
                  : credentials == null ? client : credentials.lookUp().then(client);
        });
  }

  /** Returns the client where it and its credentials are at hand; else null. */
  private @Nullable Regional known() {
    Regional known = current;
    return known == null || hasLeft(known.region()) || !arePrepared() ? null : known;
  }

  /** Completes when credentials are at hand. */
  Mono<Void> prepare() {
    return Mono.defer(
        () -> {
          CachedCredentials needed = origin().credentials;
          return closed ? Mono.error(closed()) : needed == null ? Mono.empty() : needed.lookUp();
        });
  }

  /** Returns true where {@link #prepare} completes at once. */
  boolean arePrepared() {
    CachedCredentials needed = origin().credentials;
    return !closed && (needed == null || needed.areReady());
  }

  static IllegalStateException closed() {
    return new IllegalStateException("the store was closed");
  }

  private S3Clients origin() {
    return lease == null ? this : lease.resource().clients();
  }

  /** Emits the reads of {@code bucket} without the SDK, when all is at hand; empty for none. */
  Mono<SignedGets> signedGets(String bucket) {
    DirectReads direct = origin().reads;
    return direct == null
        ? Mono.empty()
        : Mono.defer(() -> closed ? Mono.error(closed()) : direct.of(bucket, client()))
            .subscribeOn(S3Threads.mayBlock());
  }

  /**
   * Changes the region, where the user set none and the client is for another one.
   *
   * @param asked the region whose server answered that the bucket is in another one
   * @param other the region of the bucket; null where the answer does not say
   * @return true where to send the request again
   */
  boolean tryMove(String asked, @Nullable String other) {
    return other != null && region.tryMove(asked, other);
  }

  /** Returns true for the region that the bucket is not in. */
  boolean hasLeft(String asked) {
    return region.hasLeft(asked);
  }

  /** Returns true where a call of the client may block its thread. */
  boolean mayBlock() {
    return mayBlock;
  }

  /** Returns the credentials of the requests; null where they sign nothing or the client knows. */
  @Nullable CachedCredentials credentials() {
    return origin().credentials;
  }

  /** Closes the client, unless the application gave it or other stores use it. */
  Mono<Void> close() {
    Mono<Void> closing = Mono.<Void>fromRunnable(this::closeNow).subscribeOn(S3Threads.mayBlock());
    Mono<Void> both = reads == null ? closing : closing.then(reads.close());
    return lease == null ? both : both.then(lease.close());
  }

  private synchronized void closeNow() {
    closed = true;
    for (S3AsyncClient client = made.poll(); client != null; client = made.poll()) {
      client.close();
    }
    if (credentials != null) {
      credentials.close();
    }
  }

  private void keep(Regional client) {
    made.addFirst(client.client());
    current = client;
    if (closed) {
      closeNow();
    }
  }

  private static ProviderSource source(ClientSettings settings) {
    IdentityProvider<? extends AwsCredentialsIdentity> given = settings.credentials;
    String profile = settings.profile;
    return given != null
        ? new ProviderSource("the provider of the program", () -> given, false, null)
        : profile != null
            ? new ProviderSource(
                "the profile " + profile,
                () -> ProfileCredentialsProvider.create(profile),
                true,
                profile)
            : new ProviderSource(
                "the AWS chain", () -> DefaultCredentialsProvider.builder().build(), true, null);
  }

  private static Regional make(
      ClientSettings settings, Region region, @Nullable CachedCredentials credentials) {
    boolean checksums = Boolean.TRUE.equals(settings.checksumsWhenSupported);
    S3AsyncClientBuilder builder =
        S3AsyncClient.builder()
            .region(region)
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
            .overrideConfiguration(
                all ->
                    all.retryStrategy(AwsRetryStrategy.doNotRetry())
                        .addExecutionInterceptor(new HiddenErrors())
                        .putAdvancedOption(
                            SdkAdvancedClientOption.USER_AGENT_PREFIX, UserAgent.text()))
            .asyncConfiguration(
                async ->
                    async.advancedOption(
                        SdkAdvancedAsyncClientOption.FUTURE_COMPLETION_EXECUTOR, Runnable::run))
            .httpClientBuilder(new CancellableHttp.Around(http(settings), settings.http));
    if (settings.unsignedPayload) {
      builder.putAuthScheme(new UnsignedPayload());
    }
    if (settings.endpoint != null) {
      builder.endpointOverride(settings.endpoint);
    }
    if (settings.profile != null) {
      builder.overrideConfiguration(
          builder.overrideConfiguration().toBuilder().defaultProfileName(settings.profile).build());
    }
    return new Regional(builder.build(), region.id());
  }

  /** Has no timeouts of reads and writes: {@link StallWatch} knows the patience of each request. */
  private static NettyNioAsyncHttpClient.Builder http(ClientSettings settings) {
    TransferSettings transfer = settings.transfer;
    NettyNioAsyncHttpClient.Builder http =
        NettyNioAsyncHttpClient.builder()
            .eventLoopGroup(S3Threads.eventLoops())
            .maxConcurrency(transfer.connections())
            .maxPendingConnectionAcquires(Integer.MAX_VALUE)
            .connectionAcquisitionTimeout(PATIENCE)
            .connectionTimeout(transfer.connectTimeout())
            .tlsNegotiationTimeout(transfer.connectTimeout())
            .connectionMaxIdleTime(IDLE)
            .readTimeout(Duration.ZERO)
            .writeTimeout(Duration.ZERO);
    TlsMaterial tls = settings.tls;
    return tls == null
        ? http
        : http.tlsKeyManagersProvider(tls.own()::getKeyManagers)
            .tlsTrustManagersProvider(tls.trusted()::getTrustManagers);
  }

  /**
   * A client, and the region of its requests.
   *
   * @param region empty where the application gave the client
   */
  record Regional(S3AsyncClient client, String region) {}
}
