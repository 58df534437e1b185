package dev.zarrreactive.s3;

import dev.zarrreactive.internal.s3.get.ObjectConnections;
import dev.zarrreactive.internal.s3.get.SignedGets;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** The reads without the SDK of the stores that share a client, and their connections. */
final class DirectReads {
  /** The ends of the names of directory buckets, whose requests are signed by sessions. */
  private static final String DIRECTORY_BUCKET = "--x-s3";

  private static final String DIRECTORY_ACCESS_POINT = "--xa-s3";

  private final ClientSettings settings;
  private final BucketRegion region;
  private final @Nullable CachedCredentials credentials;
  private @Nullable ObjectConnections connections;
  private boolean closed;

  /**
   * Reads with the settings of a client.
   *
   * @param credentials null where nothing is signed
   */
  DirectReads(
      ClientSettings settings, BucketRegion region, @Nullable CachedCredentials credentials) {
    this.settings = settings;
    this.region = region;
    this.credentials = credentials;
  }

  /**
   * Emits the reads of {@code bucket}, when credentials and a client of HTTP are at hand, which are
   * looked up and made at the same time. The SDK tells the address of the bucket, unless it follows
   * from the endpoint. It may block. Empty where the SDK reads:
   *
   * <ul>
   *   <li>a directory bucket (S3 Express), whose requests are signed by sessions;
   *   <li>settings of the client that only the SDK follows ({@link ClientSettings#needsSdk}):
   *       checksums, a proxy, a certificate of the client;
   *   <li>a bucket of which the SDK makes another request than {@link SignedGets}, which has the
   *       SDK make one to compare them: with interceptors, or for an access point of several
   *       regions.
   * </ul>
   *
   * @param client is made where the SDK has to tell the address
   */
  Mono<SignedGets> of(String bucket, Mono<S3Clients.Regional> client) {
    if (bucket.endsWith(DIRECTORY_BUCKET) || bucket.endsWith(DIRECTORY_ACCESS_POINT)) {
      return Mono.empty();
    }
    Mono<ObjectConnections> used = Mono.fromCallable(this::connections);
    Mono<Void> identified = credentials == null ? Mono.empty() : credentials.lookUp();
    Mono<Boolean> made = used.flatMap(ObjectConnections::make).onErrorReturn(false);
    return identified
        .then(used)
        .flatMap(connections -> of(bucket, connections, client))
        .zipWith(made.defaultIfEmpty(false), (gets, isMade) -> gets);
  }

  private Mono<SignedGets> of(
      String bucket, ObjectConnections used, Mono<S3Clients.Regional> client) {
    SignedGets plain = settings.isPlain() ? plain(bucket, used) : null;
    return plain == null
        ? client.flatMap(
            made -> SignedGets.of(made.client(), bucket, made.region(), used, this::identity))
        : Mono.just(plain);
  }

  private @Nullable SignedGets plain(String bucket, ObjectConnections used) {
    URI endpoint = settings.endpoint;
    return endpoint == null
        ? null
        : SignedGets.at(endpoint, bucket, region.region().id(), used, this::identity);
  }

  private @Nullable AwsCredentialsIdentity identity() {
    return credentials == null ? null : credentials.current();
  }

  /** Returns the connections, which the first call makes; null where the SDK reads. */
  private synchronized @Nullable ObjectConnections connections() {
    if (closed) {
      throw S3Clients.closed();
    }
    if (connections == null && !settings.needsSdk()) {
      connections =
          new ObjectConnections(
              settings.transfer, settings.tls, settings.readCounter, settings.reads);
    }
    return connections;
  }

  /** Closes the connections; reads in flight fail. */
  Mono<Void> close() {
    return Mono.defer(this::closeNow);
  }

  private synchronized Mono<Void> closeNow() {
    closed = true;
    return connections == null ? Mono.empty() : connections.close();
  }
}
