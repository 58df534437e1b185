package dev.zarrreactive.gcs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.faults.CredentialFaults;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import java.util.Objects;

/** Tokens of Google that expire, and services of tokens in trouble. */
class GcsCredentialFaultsTest extends CredentialFaults {
  @Override
  protected Store store(FaultyServer server, CredentialSource source) {
    return GcsStore.at("data")
        .endpoint(server.uri())
        .connections(CONNECTIONS)
        .credentials(source)
        .open();
  }

  @Override
  protected Credential credential(String secret) {
    return Credential.bearer(secret);
  }

  @Override
  protected String secretOf(ReceivedRequest asked) {
    return Objects.requireNonNull(asked.header("authorization")).substring("Bearer ".length());
  }

  @Override
  protected ServerResponse expired() {
    return ServerResponse.of(401, Bytes.EMPTY);
  }

  @Override
  protected ServerResponse found(Bytes value) {
    return super.found(value).with("x-goog-generation", "1");
  }
}
