package dev.zarrreactive.s3;

import software.amazon.awssdk.services.s3.S3AsyncClient;

/**
 * A client, and the region of its requests.
 *
 * @param region empty where the application gave the client
 */
record RegionalClient(S3AsyncClient client, String region) {}
