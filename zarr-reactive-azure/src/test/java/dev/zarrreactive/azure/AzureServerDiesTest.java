package dev.zarrreactive.azure;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.ServerDies;
import dev.zarrreactive.faults.server.FaultyServer;
import java.time.Duration;

class AzureServerDiesTest extends ServerDies {
  private final Azurite azure = Azurite.shared();
  private final String container = azure.newPublicContainer();

  @Override
  protected void seed(String key, Bytes value) {
    azure.put(container, key, value.toByteArray());
  }

  @Override
  protected FaultyServer serve() {
    return FaultyServer.before(azure.server());
  }

  @Override
  protected Connected connect(FaultyServer server) {
    return CountedAzure.store(server, container, Duration.ofSeconds(2), settings -> settings);
  }
}
