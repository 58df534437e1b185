package dev.zarrreactive.s3;

import dev.zarrreactive.store.RequestLimit;
import dev.zarrreactive.store.StoreOptions;

/**
 * A client that several stores have, with the limit that all of them keep together.
 *
 * @param limit no more requests than there are connections
 * @param operations as many operations of stores as the server takes
 */
record SharedS3Client(S3Clients clients, RequestLimit limit, RequestLimit operations) {
  /**
   * The stores that have one client.
   *
   * @param options those that all of them were opened with
   * @param bucket empty where the client is for all buckets
   */
  record Key(StoreOptions options, String bucket) {}
}
