package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.OneValue.eventually;
import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.internal.s3.http.ForwardingRequest;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;
import reactor.netty.http.client.HttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

/** After a cancel has returned no request is written. */
@ExtendWith(NoLeaks.class)
class S3LateRequestsTest {
  private static final int CONNECTIONS = 16;
  private static final int READS = 64;
  private static final int ROUNDS = 40;

  private final MemoryStore values = MemoryStore.create();
  private final FaultyServer server = FaultyServer.of(values);
  private final AtomicInteger written = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();
  private volatile AtomicBoolean disposed = new AtomicBoolean();

  private final S3Store store =
      S3Store.at("data")
          .endpoint(server.uri())
          .anonymous()
          .connections(CONNECTIONS)
          .with(
              client -> {
                client.http = Recorded::new;
                client.reads = this::recorded;
                client.readsBySdk = readsBySdk();
              })
          .open();

  /** Returns true where the SDK makes the reads. */
  boolean readsBySdk() {
    return false;
  }

  @BeforeEach
  void seed() {
    for (int i = 0; i < READS; i++) {
      await(values.set(StoreKey.of("data/" + i), Bytes.utf8("value")));
    }
    await(store.get(StoreKey.of("0")));
  }

  @AfterEach
  void close() {
    await(store.close());
    server.close();
  }

  /**
   * Each connection of a cancelled request is closed, so that the requests of the next round wait
   * for new ones: the cancel comes before they are written, which the SDK would not notice. Each
   * read has a subscriber of its own: the cancel of a {@code flatMap} may return before another
   * thread, which is emitting, has passed it on.
   */
  @Test
  void no_request_is_written_after_dispose_has_returned() {
    for (int round = 0; round < ROUNDS; round++) {
      server.misbehave(round % 2 == 0 ? Fault.NONE : Fault.silence());
      AtomicBoolean over = new AtomicBoolean();
      disposed = over;
      List<Disposable> reads =
          IntStream.range(0, READS)
              .mapToObj(i -> store.get(StoreKey.of("" + i)).subscribe(value -> {}, error -> {}))
              .toList();
      if (round % 4 > 1) {
        eventually(() -> server.underWay() > 0 || reads.stream().allMatch(Disposable::isDisposed));
      }
      reads.forEach(Disposable::dispose);
      over.set(true);
      eventually(() -> server.underWay() == 0);
    }
    server.misbehave(Fault.NONE);
    disposed = new AtomicBoolean();
    for (int i = 0; i < READS; i++) { // through every connection: nothing is left to be written
      assertThat(await(store.get(StoreKey.of("" + i)))).isEqualTo(Bytes.utf8("value"));
    }
    assertThat(late).hasValue(0);
    assertThat(server.requests().size())
        .as("nothing came that the gate has not let through")
        .isLessThanOrEqualTo(written.get());
  }

  /**
   * Looks at the clock of the test before a read without the SDK is written: the store gives the
   * connection up after a look that came after the cancel.
   */
  private HttpClient recorded(HttpClient client) {
    AtomicBoolean over = disposed;
    AtomicBoolean afterDispose = new AtomicBoolean();
    return client
        .doOnRequest(
            (request, connection) -> {
              written.incrementAndGet();
              afterDispose.set(over.get());
            })
        .doAfterRequest(
            (request, connection) -> {
              if (afterDispose.get()) {
                late.incrementAndGet();
              }
            });
  }

  /** Looks at the clock of the test before each request passes its gate. */
  private final class Recorded implements SdkAsyncHttpClient {
    private final SdkAsyncHttpClient http;

    Recorded(SdkAsyncHttpClient http) {
      this.http = http;
    }

    @Override
    public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
      SdkHttpRequest seen = new Seen(request.request(), disposed);
      return http.execute(
          AsyncExecuteRequest.builder()
              .request(seen)
              .requestContentPublisher(request.requestContentPublisher())
              .responseHandler(request.responseHandler())
              .httpExecutionAttributes(request.httpExecutionAttributes())
              .build());
    }

    @Override
    public void close() {
      http.close();
    }
  }

  private final class Seen extends ForwardingRequest {
    private final AtomicBoolean over;
    private final AtomicBoolean first = new AtomicBoolean(true);

    Seen(SdkHttpRequest request, AtomicBoolean over) {
      super(request);
      this.over = over;
    }

    @Override
    public SdkHttpMethod method() {
      boolean afterDispose = over.get();
      SdkHttpMethod method = super.method();
      if (first.getAndSet(false)) {
        written.incrementAndGet();
        if (afterDispose) {
          late.incrementAndGet();
        }
      }
      return method;
    }
  }
}
