package dev.zarrreactive.s3;

import dev.zarrreactive.faults.LostAnswers;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.store.Store;

/** Conditional writes to a bucket whose answers are lost. */
class S3LostAnswersTest extends LostAnswers {
  private static final S3ProxyServer S3 = S3ProxyServer.shared();
  private final String bucket = S3.newBucket();

  @Override
  protected FaultyServer serve() {
    return FaultyServer.before(S3.uri());
  }

  @Override
  protected Store direct() {
    return S3.at(bucket).open();
  }

  @Override
  protected Store store(FaultyServer server) {
    return S3.at(bucket)
        .endpoint(server.uri())
        .multipart(part(), part())
        .conditionalMultipart(true)
        .open();
  }

  @Override
  protected int part() {
    return 5 << 20;
  }

  @Override
  protected boolean isEnd(ReceivedRequest asked) {
    return asked.method().equals("POST") && asked.uri().contains("uploadId");
  }
}
