package dev.zarrreactive.s3;

/** Cancels of reads that the SDK makes. */
class S3CancelledReadsBySdkTest extends S3CancelledReadsTest {
  @Override
  S3StoreBuilder settings(S3StoreBuilder builder) {
    return super.settings(builder).with(client -> client.readsBySdk = true);
  }
}
