package dev.zarrreactive.internal.s3.get;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.http.ConnectionErrors;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.s3.http.RequestRecorder;
import dev.zarrreactive.internal.s3.http.S3Threads;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/**
 * The reads of one bucket without the SDK: signed here, and sent over connections of their own. The
 * SDK tells the address of the bucket once, by a request that is recorded and not sent. Errors for
 * responses are those of the SDK, other errors those of a store.
 */
public final class SignedGets {
  /** Making a request of the SDK takes milliseconds, and the first one of a JVM a second. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int LEAST_SUCCESS = 200;
  private static final int LEAST_REDIRECT = 300;

  private final ObjectConnections connections;
  private final BucketAddress address;
  private final String region;
  private final Supplier<@Nullable AwsCredentialsIdentity> credentials;
  private final ServerClock clock = new ServerClock();

  private SignedGets(
      ObjectConnections connections,
      BucketAddress address,
      String region,
      Supplier<@Nullable AwsCredentialsIdentity> credentials) {
    this.connections = connections;
    this.address = address;
    this.region = region;
    this.credentials = credentials;
  }

  /**
   * Returns the reads of a bucket in the path of a server; null where only the SDK knows its
   * address. It may block.
   *
   * @param credentials at hand; null for none
   */
  public static @Nullable SignedGets at(
      URI server,
      String bucket,
      String region,
      ObjectConnections connections,
      Supplier<@Nullable AwsCredentialsIdentity> credentials) {
    try {
      BucketAddress address = BucketAddress.at(server, bucket, region, credentials.get());
      return address == null ? null : new SignedGets(connections, address, region, credentials);
    } catch (IllegalStateException e) {
      return null; // the SDK may sign where this JVM has other algorithms
    }
  }

  /**
   * Emits the reads of a bucket; empty where the SDK makes another request for an object of it than
   * the one that is made here. It blocks its thread now and then.
   *
   * @param client whose HTTP client records requests
   * @param region of the client
   * @param credentials at hand; null for none
   */
  public static Mono<SignedGets> of(
      S3AsyncClient client,
      String bucket,
      String region,
      ObjectConnections connections,
      Supplier<@Nullable AwsCredentialsIdentity> credentials) {
    return address(client, bucket, credentials)
        .switchIfEmpty(
            address(client, bucket, credentials)) // credentials may have changed meanwhile
        .map(address -> new SignedGets(connections, address, region, credentials));
  }

  private static Mono<BucketAddress> address(
      S3AsyncClient client, String bucket, Supplier<@Nullable AwsCredentialsIdentity> credentials) {
    return Mono.defer(
            () -> {
              AwsCredentialsIdentity identity = credentials.get();
              ObjectGet asked =
                  new ObjectGet(
                      bucket,
                      "a b/é+%~*'(c",
                      "bytes=0-9",
                      "\"a\"",
                      "\"b\"",
                      Instant.EPOCH,
                      "v/1 +",
                      true,
                      Location.UNKNOWN,
                      "");
              RequestRecorder recorder = new RequestRecorder();
              return Mono.fromFuture(
                      client.getObject(
                          recorder.on(asked.toSdk()), AsyncResponseTransformer.toBytes()))
                  .timeout(PATIENCE, S3Threads.timer())
                  .onErrorComplete()
                  .then(Mono.fromCallable(() -> address(recorder.recorded(), asked, identity)));
            })
        .onErrorComplete(RuntimeException.class); // the SDK tells of its error at each read
  }

  private static @Nullable BucketAddress address(
      @Nullable SdkHttpRequest recorded,
      ObjectGet asked,
      @Nullable AwsCredentialsIdentity identity) {
    return recorded == null ? null : BucketAddress.of(recorded, asked, identity);
  }

  BucketAddress address() {
    return address;
  }

  /** Returns the region whose server these reads go to. */
  public String region() {
    return region;
  }

  /**
   * Returns true for a name whose path clients keep. They may change empty segments, and segments
   * of dots.
   */
  public static boolean canName(String object) {
    String path = "/" + object + "/";
    return !path.contains("//") && !path.contains("/./") && !path.contains("/../");
  }

  /**
   * Sends a request, and once more where the server says that the time of its signature is wrong.
   */
  public <T> Mono<T> get(ObjectGet get, ObjectGet.Reader<T> reader) {
    return Mono.defer(
        () -> {
          long ahead = clock.ahead();
          return send(get, reader, ahead)
              .onErrorResume(
                  e -> e instanceof AwsServiceException answer && clock.tryCorrect(answer, ahead),
                  e -> send(get, reader, clock.ahead()));
        });
  }

  private <T> Mono<T> send(ObjectGet get, ObjectGet.Reader<T> reader, long ahead) {
    return connections
        .client()
        .flatMap(
            client ->
                SentRequest.of(
                    signed(client, get, ahead),
                    HttpMethod.GET,
                    address.uri(get),
                    (response, body) -> next(response, body, reader),
                    e -> error(e, get)));
  }

  private HttpClient signed(HttpClient client, ObjectGet get, long ahead) {
    SortedMap<String, String> headers = address.headers(get, clock.time(ahead), credentials.get());
    return client.headers(all -> headers.forEach(all::set));
  }

  private static <T> Publisher<T> next(
      HttpClientResponse response, ByteBufFlux body, ObjectGet.Reader<T> reader) {
    int status = response.status().code();
    return status >= LEAST_SUCCESS && status < LEAST_REDIRECT
        ? reader.read(ObjectHead.of(response), body.map(ByteBuf::nioBuffer))
        : ErrorResponse.of(response, body);
  }

  private static Throwable error(Throwable error, ObjectGet get) {
    return error instanceof AwsServiceException
        ? error
        : ConnectionErrors.of(error, get.at(), get.url(), false);
  }
}
