package dev.zarrreactive.azure;

import static dev.zarrreactive.azure.InContainer.await;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.FaultMatrix;
import dev.zarrreactive.faults.server.FaultyServer;
import java.time.Duration;

/** The matrix of faults for the store in a container of Azure, through a proxy that misbehaves. */
class AzureFaultMatrixTest extends FaultMatrix {
  private static final int SETUPS = 20;

  private final Azurite azure = Azurite.shared();
  private final String container = azure.newContainer();

  @Override
  protected void seed(String key, Bytes value) {
    azure.put(container, key, value.toByteArray());
  }

  @Override
  protected FaultyServer serve() {
    return FaultyServer.before(azure.server());
  }

  @Override
  protected Connected connect(FaultyServer server, Duration stallTimeout) {
    CountedAzure connected =
        new CountedAzure(server, container, stallTimeout, settings -> settings);
    // the endpoint speaks the API; a busy machine may take longer than the short stall timeout
    await(connected.store().get(StoreKey.of("missing")).retry(SETUPS));
    server.forget();
    return connected;
  }
}
