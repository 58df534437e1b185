package dev.zarrreactive.s3;

/** A connection that closes before any answer to a read that the SDK makes. */
class S3UnansweredRequestsBySdkTest extends S3UnansweredRequestsTest {
  @Override
  S3StoreBuilder settings(S3StoreBuilder builder) {
    return builder.with(client -> client.readsBySdk = true);
  }
}
