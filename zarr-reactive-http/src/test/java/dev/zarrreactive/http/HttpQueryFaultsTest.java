package dev.zarrreactive.http;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.faults.CredentialFaults;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;

/** Signatures in URLs that expire, and services of them in trouble. */
class HttpQueryFaultsTest extends CredentialFaults {
  @Override
  protected Store store(FaultyServer server, CredentialSource source) {
    return HttpStore.at(server.uri()).connections(CONNECTIONS).credentials(source).open();
  }

  @Override
  protected Credential credential(String secret) {
    return new Credential.Query("sv=1&sig=" + secret);
  }

  @Override
  protected String secretOf(ReceivedRequest asked) {
    return asked.uri().substring(asked.uri().indexOf("sig=") + 4);
  }

  @Override
  protected ServerResponse expired() {
    return ServerResponse.of(403, Bytes.EMPTY).with("x-ms-error-code", "AuthenticationFailed");
  }
}
