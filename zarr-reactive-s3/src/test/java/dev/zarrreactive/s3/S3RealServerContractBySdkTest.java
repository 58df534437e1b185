package dev.zarrreactive.s3;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The contract at a server that was started elsewhere, of reads that the SDK makes. */
@EnabledIfSystemProperty(named = RealServer.ENDPOINT, matches = ".+")
class S3RealServerContractBySdkTest extends S3RealServerContractTest {
  @Override
  S3StoreBuilder settings(S3StoreBuilder builder) {
    return builder.with(client -> client.readsBySdk = true);
  }
}
