package dev.zarrreactive.s3;

import dev.zarrreactive.testing.Slow;

/** Cancels of reads that the SDK makes. */
@Slow
class S3CancelledReadsBySdkTest extends S3CancelledReadsTest {
  @Override
  S3StoreBuilder settings(S3StoreBuilder builder) {
    return super.settings(builder).with(client -> client.readsBySdk = true);
  }
}
