package dev.zarrreactive.s3;

import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.RequestLimit;

/**
 * A client of several stores, with the limits that they share.
 *
 * @param limit of requests, at most the number of connections
 * @param operations the adaptive limit of operations of the stores
 */
record SharedS3Client(S3Clients clients, RequestLimit limit, RequestLimit operations) {
  /**
   * The stores that share one client.
   *
   * @param options of each store
   * @param bucket empty for a client of all buckets
   */
  record Key(StoreOptions options, String bucket) {}
}
