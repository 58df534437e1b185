package dev.zarrreactive.s3;

import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/**
 * A server that was started elsewhere, for tests that are skipped without one: {@code
 * -Dzarr.s3.endpoint=http://127.0.0.1:9000 -Dzarr.s3.access-key=… -Dzarr.s3.secret-key=…}, and
 * {@code -Dzarr.s3.unquoted-etags=true} for a server that wants them so. Each test makes buckets of
 * its own, and leaves them.
 */
final class RealServer {
  /** Names the server; the tests run where it is set. */
  static final String ENDPOINT = "zarr.s3.endpoint";

  private RealServer() {}

  static String bucket() {
    String bucket = "zarr-" + Long.toString(System.nanoTime(), 36);
    try (S3AsyncClient client =
        S3AsyncClient.builder()
            .endpointOverride(endpoint())
            .forcePathStyle(true)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(accessKey(), secretKey())))
            .build()) {
      client.createBucket(request -> request.bucket(bucket)).join();
    }
    return bucket;
  }

  static S3StoreBuilder at(String bucket) {
    return unsigned(bucket).credentials(accessKey(), secretKey());
  }

  /** A bucket there, as yet without credentials. */
  static S3StoreBuilder unsigned(String bucket) {
    return S3Store.at(bucket)
        .endpoint(endpoint())
        .unquotedETags(Boolean.parseBoolean(property("unquoted-etags", "false")));
  }

  static URI endpoint() {
    return URI.create(System.getProperty(ENDPOINT));
  }

  static String accessKey() {
    return property("access-key", "test");
  }

  static String secretKey() {
    return property("secret-key", "test");
  }

  private static String property(String name, String otherwise) {
    return System.getProperty("zarr.s3." + name, otherwise);
  }
}
