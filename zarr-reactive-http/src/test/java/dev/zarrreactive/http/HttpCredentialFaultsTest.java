package dev.zarrreactive.http;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.faults.CredentialFaults;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import java.util.Objects;

/** Tokens of HTTP that expire, and services of tokens in trouble. */
class HttpCredentialFaultsTest extends CredentialFaults {
  @Override
  protected Store store(FaultyServer server, CredentialSource source) {
    return HttpStore.at(server.uri()).connections(CONNECTIONS).credentials(source).open();
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
}
