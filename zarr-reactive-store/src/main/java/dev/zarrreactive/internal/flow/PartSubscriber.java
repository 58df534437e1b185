package dev.zarrreactive.internal.flow;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/**
 * Passes on the signals of one part, but only the first error of the operation. It drops the
 * reference to its source after the last signal, because a result that waits for demand would
 * otherwise retain the operators of its part and the fetched bytes.
 */
final class PartSubscriber<T> implements CoreSubscriber<T>, Subscription {
  private final OperationScope scope;
  private final CoreSubscriber<? super T> actual;
  private volatile @Nullable Subscription source;

  PartSubscriber(OperationScope scope, CoreSubscriber<? super T> actual) {
    this.scope = scope;
    this.actual = actual;
  }

  @Override
  public Context currentContext() {
    return actual.currentContext();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    source = subscription;
    scope.begun(this);
    actual.onSubscribe(this);
  }

  @Override
  public void onNext(T value) {
    actual.onNext(value);
  }

  @Override
  public void onError(Throwable error) {
    end();
    if (scope.stop()) {
      actual.onError(error);
    }
  }

  @Override
  public void onComplete() {
    end();
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
    end();
    if (open != null) {
      open.cancel();
    }
  }

  private void end() {
    source = null;
    scope.ended(this);
  }
}
