package dev.zarrreactive.gcs;

import dev.zarrreactive.faults.LostAnswers;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.store.Store;
import org.junit.jupiter.api.AfterEach;

/** Conditional writes to a bucket whose answers are lost. */
class GcsLostAnswersTest extends LostAnswers {
  private final XmlApiServer google = XmlApiServer.start();
  private final String bucket = google.newBucket();

  @AfterEach
  void stop() {
    google.close();
  }

  @Override
  protected FaultyServer serve() {
    return FaultyServer.before(google.uri());
  }

  @Override
  protected Store direct() {
    return google.at(bucket).open();
  }

  @Override
  protected Store store(FaultyServer server) {
    return google.at(bucket).endpoint(server.uri()).partSize(part()).open();
  }

  @Override
  protected int part() {
    return 256 << 10;
  }

  @Override
  protected boolean isEnd(ReceivedRequest asked) {
    String range = asked.header("content-range");
    return range != null && !range.endsWith("/*");
  }
}
