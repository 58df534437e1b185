package dev.zarrreactive.internal.flow;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/**
 * The subscriber of a publisher that changes the signals of its source. It passes on every signal
 * that a subclass leaves alone.
 *
 * @param <I> the values of the source
 * @param <O> the values of the publisher
 */
public abstract class Relay<I, O> implements CoreSubscriber<I>, Subscription {
  /** The subscriber of the publisher. */
  protected final CoreSubscriber<? super O> actual;

  private @Nullable Subscription source;

  /** Creates a subscriber for the source of {@code actual}'s publisher. */
  protected Relay(CoreSubscriber<? super O> actual) {
    this.actual = actual;
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
  public void onError(Throwable error) {
    actual.onError(error);
  }

  @Override
  public void onComplete() {
    actual.onComplete();
  }

  @Override
  public void request(long n) {
    Objects.requireNonNull(source).request(n);
  }

  @Override
  public void cancel() {
    Objects.requireNonNull(source).cancel();
  }
}
