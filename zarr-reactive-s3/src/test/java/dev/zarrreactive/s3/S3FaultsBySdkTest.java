package dev.zarrreactive.s3;

/** The outcome of each fault of a server, of reads that the SDK makes. */
class S3FaultsBySdkTest extends S3FaultsTest {
  @Override
  S3StoreBuilder settings(S3StoreBuilder builder) {
    return builder.with(client -> client.readsBySdk = true);
  }
}
