package dev.zarrreactive.azure;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.testing.ChildProcess;
import dev.zarrreactive.testing.Counting;
import org.junit.jupiter.api.Test;

class CountingInAzureTest {
  @Test
  void two_processes_with_four_writers_each_lose_no_update() {
    Azurite server = Azurite.shared();
    String container = server.newContainer();
    AzureStore store = server.at(container).open();
    Counting.run(
        store,
        process ->
            ChildProcess.start(
                CountingInAzure.class, server.uri().toString(), container, "" + process));
    await(store.close());
  }
}
