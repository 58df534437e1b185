package dev.zarrreactive.s3;

/** Bytes of a server besides its responses to reads that the SDK makes. */
class S3ConnectionBySdkTest extends S3ConnectionTest {
  @Override
  S3StoreBuilder settings(S3StoreBuilder builder) {
    return builder.with(client -> client.readsBySdk = true);
  }
}
