package dev.zarrreactive.s3;

import dev.zarrreactive.testing.Slow;

/** The matrix of faults for reads that the SDK makes. */
@Slow
class S3FaultMatrixBySdkTest extends S3FaultMatrixTest {
  @Override
  S3StoreBuilder settings(S3StoreBuilder builder) {
    return super.settings(builder).with(client -> client.readsBySdk = true);
  }
}
