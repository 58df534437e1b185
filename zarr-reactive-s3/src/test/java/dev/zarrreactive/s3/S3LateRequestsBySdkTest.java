package dev.zarrreactive.s3;

/** The same of reads that the SDK makes. */
class S3LateRequestsBySdkTest extends S3LateRequestsTest {
  @Override
  boolean readsBySdk() {
    return true;
  }
}
