package dev.zarrreactive.azure;

import dev.zarrreactive.faults.LostAnswers;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.store.Store;

/** Conditional writes to a container whose answers are lost. */
class AzureLostAnswersTest extends LostAnswers {
  private final Azurite azure = Azurite.shared();
  private final String container = azure.newContainer();

  @Override
  protected FaultyServer serve() {
    return FaultyServer.before(azure.server());
  }

  @Override
  protected Store direct() {
    return azure.at(container).open();
  }

  @Override
  protected Store store(FaultyServer server) {
    return azure
        .at(container)
        .endpoint(server.uri().resolve("/" + Azurite.ACCOUNT))
        .partSize(part())
        .open();
  }

  @Override
  protected int part() {
    return 64 << 10;
  }

  @Override
  protected boolean isEnd(ReceivedRequest asked) {
    return asked.uri().contains("comp=blocklist");
  }
}
