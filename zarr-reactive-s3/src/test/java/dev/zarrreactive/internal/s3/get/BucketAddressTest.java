package dev.zarrreactive.internal.s3.get;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.s3.http.CancellableHttp;
import dev.zarrreactive.internal.s3.http.S3Threads;
import dev.zarrreactive.internal.transfer.TransferSettings;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/** Addresses that the SDK tells by a request that is not sent. */
class BucketAddressTest {
  private static final AwsSessionCredentials SESSION =
      AwsSessionCredentials.create("AKID", "secret", "token");

  private static final ObjectGet GET =
      new ObjectGet("b", "a/c", null, null, null, null, null, false, Location.UNKNOWN, "");

  /** Fails each request that is not recorded. */
  private static final class Offline implements SdkAsyncHttpClient {
    private final SdkAsyncHttpClient http;

    Offline(SdkAsyncHttpClient http) {
      this.http = http;
    }

    @Override
    public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
      AssertionError error = new AssertionError("a request was sent");
      request.responseHandler().onError(error);
      return CompletableFuture.failedFuture(error);
    }

    @Override
    public void close() {
      http.close();
    }
  }

  private static @Nullable SignedGets found(
      String bucket, boolean anonymous, Consumer<S3AsyncClientBuilder> settings) {
    UnaryOperator<SdkAsyncHttpClient> offline = Offline::new;
    S3AsyncClientBuilder builder =
        S3AsyncClient.builder()
            .region(Region.EU_WEST_1)
            .credentialsProvider(
                anonymous
                    ? AnonymousCredentialsProvider.create()
                    : StaticCredentialsProvider.create(SESSION))
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .overrideConfiguration(all -> all.retryStrategy(AwsRetryStrategy.doNotRetry()))
            .httpClientBuilder(
                new CancellableHttp.Around(
                    NettyNioAsyncHttpClient.builder().eventLoopGroup(S3Threads.eventLoops()),
                    offline));
    settings.accept(builder);
    AwsCredentialsIdentity identity = anonymous ? null : SESSION;
    ObjectConnections none =
        new ObjectConnections(new TransferSettings(), null, null, UnaryOperator.identity());
    try (S3AsyncClient client = builder.build()) {
      return SignedGets.of(client, bucket, "eu-west-1", none, () -> identity)
          .block(Duration.ofMinutes(1));
    } finally {
      none.close().block();
    }
  }

  private static String url(
      String bucket, boolean anonymous, Consumer<S3AsyncClientBuilder> settings) {
    return Objects.requireNonNull(found(bucket, anonymous, settings)).address().uri(GET);
  }

  @Test
  void a_bucket_of_amazon_is_part_of_the_host_or_of_the_path() {
    for (boolean anonymous : new boolean[] {false, true}) {
      assertThat(url("bucket", anonymous, s3 -> {}))
          .isEqualTo("https://bucket.s3.eu-west-1.amazonaws.com/a/c");
      assertThat(url("bucket", anonymous, s3 -> s3.forcePathStyle(true)))
          .isEqualTo("https://s3.eu-west-1.amazonaws.com/bucket/a/c");
      assertThat(url("with.dots", anonymous, s3 -> {}))
          .isEqualTo("https://s3.eu-west-1.amazonaws.com/with.dots/a/c");
      assertThat(url("bucket", anonymous, s3 -> s3.dualstackEnabled(true)))
          .isEqualTo("https://bucket.s3.dualstack.eu-west-1.amazonaws.com/a/c");
      assertThat(url("bucket", anonymous, s3 -> s3.accelerate(true)))
          .isEqualTo("https://bucket.s3-accelerate.amazonaws.com/a/c");
    }
  }

  @Test
  void a_bucket_of_another_server_is_part_of_the_host_or_of_the_path() {
    for (boolean anonymous : new boolean[] {false, true}) {
      assertThat(
              url(
                  "bucket",
                  anonymous,
                  s3 ->
                      s3.forcePathStyle(true)
                          .endpointOverride(URI.create("http://127.0.0.1:9000/base/"))))
          .isEqualTo("http://127.0.0.1:9000/base/bucket/a/c");
      assertThat(
              url(
                  "bucket",
                  anonymous,
                  s3 -> s3.endpointOverride(URI.create("http://s3.example:9000"))))
          .isEqualTo("http://bucket.s3.example:9000/a/c");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:9000",
        "http://localhost:8/",
        "http://s3.example",
        "http://s3.example:80",
        "https://s3.example:443/",
        "https://s3.example:8443"
      })
  void an_address_in_the_path_of_a_server_is_that_of_the_sdk(String server) {
    URI endpoint = URI.create(server);
    for (boolean anonymous : new boolean[] {false, true}) {
      AwsCredentialsIdentity identity = anonymous ? null : SESSION;
      for (String bucket : new String[] {"bucket", "with.dots-1", "a--b", "point-1-s3alias"}) {
        for (String region : new String[] {"eu-west-1", "auto", "nyc3", "us-gov-west-1"}) {
          BucketAddress told =
              Objects.requireNonNull(
                      found(
                          bucket,
                          anonymous,
                          s3 ->
                              s3.forcePathStyle(true)
                                  .endpointOverride(endpoint)
                                  .region(Region.of(region))))
                  .address();
          BucketAddress computed =
              Objects.requireNonNull(BucketAddress.at(endpoint, bucket, region, identity));
          assertThat(computed.uri(GET)).isEqualTo(told.uri(GET));
          assertThat(computed.headers(GET, "20130524T000000Z", identity))
              .isEqualTo(told.headers(GET, "20130524T000000Z", identity));
        }
      }
    }
  }

  @Test
  void a_host_in_capital_letters_is_the_same_host() {
    URI capital = URI.create("http://LocalHost:9000");
    URI small = URI.create("http://localhost:9000");
    BucketAddress address =
        Objects.requireNonNull(BucketAddress.at(capital, "bucket", "eu-west-1", SESSION));
    assertThat(address.uri(GET)).isEqualTo("http://localhost:9000/bucket/a/c");
    assertThat(address.headers(GET, "20130524T000000Z", SESSION))
        .isEqualTo(
            Objects.requireNonNull(BucketAddress.at(small, "bucket", "eu-west-1", SESSION))
                .headers(GET, "20130524T000000Z", SESSION));
  }

  @Test
  void only_the_sdk_knows_the_address_of_other_buckets_servers_and_regions() {
    String server = "http://127.0.0.1:9000";
    for (String odd :
        new String[] {
          "Bucket", "a_b", "arn:aws:s3:::b", "ab", "a/b", "-ab", "b--x-s3", "b--op-s3"
        }) {
      assertThat(at(server, odd, "eu-west-1", SESSION)).as(odd).isNull();
    }
    for (String odd :
        new String[] {"http://h/base", "http://[::1]:9000", "http://h#f", "http://h?q", "x:h"}) {
      assertThat(at(odd, "bucket", "eu-west-1", SESSION)).as(odd).isNull();
    }
    for (String odd : new String[] {"aws-global", "fips-us-east-1", "us-east-1-fips", "a_b", "A"}) {
      assertThat(at(server, "bucket", odd, SESSION)).as(odd).isNull();
    }
    AwsCredentialsIdentity anonymous = AnonymousCredentialsProvider.create().resolveCredentials();
    assertThat(at(server, "bucket", "eu-west-1", anonymous)).isNull();
  }

  private static @Nullable BucketAddress at(
      String server, String bucket, String region, @Nullable AwsCredentialsIdentity identity) {
    return BucketAddress.at(URI.create(server), bucket, region, identity);
  }

  @Test
  void an_access_point_has_a_host_of_its_own() {
    assertThat(url("arn:aws:s3:eu-west-1:123456789012:accesspoint/point", false, s3 -> {}))
        .isEqualTo("https://point-123456789012.s3-accesspoint.eu-west-1.amazonaws.com/a/c");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "arn:aws:s3::123456789012:accesspoint/mfzwi23gnjvgw.mrap",
        "arn:aws:s3-object-lambda:eu-west-1:123456789012:accesspoint/point",
        "arn:aws:s3-outposts:eu-west-1:123456789012:outpost/op-01234567890123456/accesspoint/ap",
        "arn:aws:s3:eu-west-1:123456789012:nothing"
      })
  void other_kinds_of_buckets_are_read_by_the_sdk(String bucket) {
    assertThat(found(bucket, false, s3 -> {})).isNull();
  }

  @Test
  void a_client_that_verifies_checksums_reads_itself() {
    assertThat(
            found(
                "bucket",
                false,
                s3 -> s3.responseChecksumValidation(ResponseChecksumValidation.WHEN_SUPPORTED)))
        .isNull();
  }

  @Test
  void a_request_with_a_header_of_an_interceptor_is_the_sdks() {
    assertThat(
            found(
                "bucket",
                false,
                s3 ->
                    s3.overrideConfiguration(
                        all ->
                            all.putHeader("x-amz-expected-bucket-owner", "123456789012")
                                .retryStrategy(AwsRetryStrategy.doNotRetry()))))
        .isNull();
  }

  @Test
  void a_name_that_a_client_may_change_is_the_sdks() {
    for (String odd : new String[] {"a//b", "/a", "a/", "./a", "a/../b", ".."}) {
      assertThat(SignedGets.canName(odd)).as(odd).isFalse();
    }
    for (String plain : new String[] {"a", ".zarray", "a/.zattrs", "a/..b", "a b/%2e"}) {
      assertThat(SignedGets.canName(plain)).as(plain).isTrue();
    }
  }
}
