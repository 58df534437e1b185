package dev.zarrreactive.s3;

import dev.zarrreactive.testing.Slow;

/** The same of reads that the SDK makes. */
@Slow
class S3LateRequestsBySdkTest extends S3LateRequestsTest {
  @Override
  boolean readsBySdk() {
    return true;
  }
}
