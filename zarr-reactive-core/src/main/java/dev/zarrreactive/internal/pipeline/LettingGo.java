package dev.zarrreactive.internal.pipeline;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Lets go of where a result came from as soon as it is there. A result that waits for its consumer
 * would otherwise keep the steps that made it in memory, and with them the bytes that were fetched.
 */
final class LettingGo<T> implements CoreSubscriber<T>, Subscription {
  private final CoreSubscriber<? super T> actual;
  private volatile @Nullable Subscription source;

  private LettingGo(CoreSubscriber<? super T> actual) {
    this.actual = actual;
  }

  /** The same signals; nothing of {@code source} is held after the last. */
  static <T> Publisher<T> of(Flux<T> source) {
    Function<? super Publisher<T>, ? extends Publisher<T>> lift =
        Operators.<T, T>lift((scannable, subscriber) -> new LettingGo<T>(subscriber));
    return lift.apply(source);
  }

  @Override
  public Context currentContext() {
    return actual.currentContext();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    source = subscription;
    actual.onSubscribe(this);
  }

  @Override
  public void onNext(T value) {
    actual.onNext(value);
  }

  @Override
  public void onError(Throwable error) {
    source = null;
    actual.onError(error);
  }

  @Override
  public void onComplete() {
    source = null;
    actual.onComplete();
  }

  @Override
  public void request(long n) {
    Subscription open = source;
    if (open != null) {
      open.request(n);
    }
  }

  @Override
  public void cancel() {
    Subscription open = source;
    if (open != null) {
      open.cancel();
    }
  }
}
