package dev.zarrreactive.azure;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.FaultMatrix;
import dev.zarrreactive.faults.Occurrence;
import dev.zarrreactive.faults.Outcome;
import dev.zarrreactive.faults.Place;
import dev.zarrreactive.faults.server.FaultyServer;
import java.time.Duration;

/** The matrix of faults for the store in a container of Azure, through a proxy that misbehaves. */
class AzureFaultMatrixTest extends FaultMatrix {
  private static final int SETUPS = 20;

  private final Azurite azure = Azurite.shared();
  private final String container = azure.newPublicContainer();

  @Override
  protected void seed(String key, Bytes value) {
    azure.put(container, key, value.toByteArray());
  }

  /**
   * The index of a shard takes a HEAD and a GET. Where another value comes between them the store
   * asks again, so that one such fault is no error; a fault at each request is one that passes.
   */
  @Override
  protected Outcome outcome(String fault, Place place, Occurrence occurrence, Outcome usual) {
    boolean isChange =
        fault.equals("ETag of another version")
            || fault.equals("another page")
            || fault.equals("body cut, of no version")
            || fault.equals("replaced before it is read");
    if (place != Place.SHARD_INDEX || !isChange) {
      return usual;
    }
    return occurrence == Occurrence.ALWAYS ? Outcome.TRANSIENT : Outcome.RIGHT_VALUES;
  }

  @Override
  protected FaultyServer serve() {
    return FaultyServer.before(azure.server());
  }

  @Override
  protected Connected connect(FaultyServer server, Duration stallTimeout) {
    Connected connected = CountedAzure.store(server, container, stallTimeout, settings -> settings);
    // the endpoint speaks the API; a busy machine may take longer than the short stall timeout
    await(connected.store().get(StoreKey.of("missing")).retry(SETUPS));
    server.forget();
    return connected;
  }
}
