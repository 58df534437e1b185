package dev.zarrreactive.s3;

/** Endpoints that are none, and buckets that are elsewhere, of reads that the SDK makes. */
class S3EndpointBySdkTest extends S3EndpointTest {
  @Override
  S3StoreBuilder bucket() {
    return super.bucket().with(client -> client.readsBySdk = true);
  }
}
