package dev.zarrreactive.http;

import static dev.zarrreactive.http.HttpCancelTest.eventually;
import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Behaviour;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClientResponse;
import reactor.util.context.Context;

/**
 * A cancel between the arrival of a response and its subscriber: Reactor discards the response, and
 * only the store can release its connection.
 */
@ExtendWith(NoLeaks.class)
class CancelDuringResponseTest {
  private static final String HOOK = "cancel-as-the-answer-comes";
  private static final StoreKey KEY = StoreKey.of("a");

  private final Disposable.Swap read = Disposables.swap();
  private final AtomicBoolean cancelled = new AtomicBoolean();

  @AfterEach
  void unhook() {
    Hooks.resetOnEachOperator(HOOK);
  }

  @ParameterizedTest
  @CsvSource({"HTTP11, CUT", "HTTP11, STALL", "H2C, CUT", "H2C, STALL"})
  void the_connection_is_released(HttpProtocol protocol, Behaviour.Ending ending) {
    MemoryStore values = MemoryStore.create();
    values.set(KEY, Bytes.wrap(new byte[100_000])).block();
    try (FaultyServer server = FaultyServer.of(values);
        Connected counted = CountedHttp.store(server, protocol, Duration.ofMinutes(5))) {
      await(counted.store().get(KEY));
      server.misbehave((asked, good) -> good.withEnding(ending, 1000));
      Hooks.onEachOperator(HOOK, Operators.lift((source, actual) -> new Cancelling<>(actual)));
      Sinks.Empty<Void> begin = Sinks.empty();
      read.update(
          counted
              .store()
              .get(KEY)
              .delaySubscription(begin.asMono())
              .subscribeOn(Schedulers.parallel())
              .onErrorComplete()
              .subscribe());
      begin.tryEmitEmpty();
      eventually(cancelled::get);
      eventually(() -> server.underWay() == 0);
      eventually(() -> counted.busyConnections() == 0);
    }
  }

  /** Cancels all of the read when the first operator after the connection is given the answer. */
  private final class Cancelling<T> implements CoreSubscriber<T> {
    private final CoreSubscriber<? super T> actual;

    Cancelling(CoreSubscriber<? super T> actual) {
      this.actual = actual;
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      actual.onSubscribe(subscription);
    }

    @Override
    public void onNext(T value) {
      if (value instanceof HttpClientResponse response && hasCome(response)) {
        if (cancelled.compareAndSet(false, true)) {
          read.dispose();
        }
      }
      actual.onNext(value);
    }

    private static boolean hasCome(HttpClientResponse response) {
      try {
        return response.status().code() == 200;
      } catch (IllegalStateException e) {
        return false; // the connection is there, and the request not even sent
      }
    }

    @Override
    public void onError(Throwable error) {
      actual.onError(error);
    }

    @Override
    public void onComplete() {
      actual.onComplete();
    }
  }
}
