package dev.zarrreactive.s3;

import dev.zarrreactive.s3.get.ObjectConnections;
import dev.zarrreactive.s3.get.SignedGets;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** The reads without the SDK of the stores that share a client, and their connections. */
final class DirectReads {
  /** The ends of the names of directory buckets, whose requests are signed by sessions. */
  private static final String DIRECTORY_BUCKET = "--x-s3";

  private static final String DIRECTORY_ACCESS_POINT = "--xa-s3";

  private final ClientSettings settings;
  private final int most;
  private final Duration stallTimeout;
  private final BucketRegion region;
  private final @Nullable CachedCredentials credentials;
  private @Nullable ObjectConnections connections;
  private boolean closed;

  /**
   * Reads with the settings of a client.
   *
   * @param most connections at a time
   * @param credentials null where nothing is signed
   */
  DirectReads(
      ClientSettings settings,
      int most,
      Duration stallTimeout,
      BucketRegion region,
      @Nullable CachedCredentials credentials) {
    this.settings = settings;
    this.most = most;
    this.stallTimeout = stallTimeout;
    this.region = region;
    this.credentials = credentials;
  }

  /**
   * Emits the reads of {@code bucket}, when credentials and a client of HTTP are at hand; empty
   * where the SDK reads. The SDK tells the address of the bucket, unless it follows from the
   * endpoint. It may block.
   *
   * @param client is made where the SDK has to tell the address
   */
  Mono<SignedGets> of(String bucket, Mono<RegionalClient> client) {
    boolean bySessions =
        bucket.endsWith(DIRECTORY_BUCKET) || bucket.endsWith(DIRECTORY_ACCESS_POINT);
    if (bySessions || settings.needsSdk()) {
      return Mono.empty();
    }
    ObjectConnections used = connections();
    Mono<SignedGets> gets =
        settings.isPlain()
            ? Mono.fromCallable(() -> plain(bucket, used)).switchIfEmpty(told(bucket, used, client))
            : told(bucket, used, client);
    Mono<Void> prepared = credentials == null ? Mono.empty() : credentials.ready();
    return prepared.then(gets).zipWith(used.made(), (found, isMade) -> found);
  }

  private @Nullable SignedGets plain(String bucket, ObjectConnections used) {
    URI endpoint = settings.endpoint;
    return endpoint == null
        ? null
        : SignedGets.at(endpoint, bucket, region.region().id(), used, this::identity);
  }

  private Mono<SignedGets> told(
      String bucket, ObjectConnections used, Mono<RegionalClient> client) {
    return client.flatMap(
        made -> SignedGets.of(made.client(), bucket, made.region(), used, this::identity));
  }

  private @Nullable AwsCredentialsIdentity identity() {
    return credentials == null ? null : credentials.current();
  }

  private synchronized ObjectConnections connections() {
    if (closed) {
      throw S3Clients.closed();
    }
    ObjectConnections used = connections;
    if (used == null) {
      used =
          new ObjectConnections(
              most, settings.connectTimeout(), stallTimeout, settings.readCounter, settings.reads);
      connections = used;
    }
    return used;
  }

  /** Closes the connections; reads in flight fail. */
  Mono<Void> close() {
    return Mono.defer(this::closing);
  }

  private synchronized Mono<Void> closing() {
    closed = true;
    return connections == null ? Mono.empty() : connections.close();
  }
}
