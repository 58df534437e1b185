package dev.zarrreactive.s3;

import dev.zarrreactive.faults.CredentialFaults;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import java.util.Objects;

/** Keys of S3 that expire, and services of keys in trouble. */
class S3CredentialFaultsTest extends CredentialFaults {
  @Override
  protected Store store(FaultyServer server, CredentialSource source) {
    return S3Store.at("bucket")
        .endpoint(server.uri())
        .connections(CONNECTIONS)
        .credentials(source)
        .open();
  }

  @Override
  protected Credential credential(String secret) {
    return new Credential.AwsKeys("KEY", "s3cret", secret);
  }

  @Override
  protected String secretOf(ReceivedRequest asked) {
    return Objects.requireNonNull(asked.header("x-amz-security-token"));
  }

  @Override
  protected ServerResponse expired() {
    return AnsweringS3.error(400, "ExpiredToken");
  }
}
