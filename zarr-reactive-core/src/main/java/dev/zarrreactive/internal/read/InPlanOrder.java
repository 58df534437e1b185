package dev.zarrreactive.internal.read;

import dev.zarrreactive.internal.read.ChunkSink.Delivery;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Sorts decoded chunks by their numbers. Its demand is unbounded, since the sink admits at most
 * {@code ahead} chunks.
 */
final class InPlanOrder<T> implements CoreSubscriber<Delivery<T>>, Subscription {
  private final CoreSubscriber<? super Delivery<T>> actual;
  private final AtomicReferenceArray<@Nullable Delivery<T>> ring;
  private final AtomicLong requested = new AtomicLong();
  private final AtomicInteger work = new AtomicInteger();
  private volatile boolean isComplete;
  private volatile @Nullable Throwable failure;
  private volatile boolean isCancelled;
  private volatile @Nullable Subscription upstream;
  private long next;
  private boolean isOver;

  private InPlanOrder(CoreSubscriber<? super Delivery<T>> actual, int ahead) {
    this.actual = actual;
    this.ring = new AtomicReferenceArray<>(ahead);
  }

  static <T> Flux<Delivery<T>> sorted(Flux<Delivery<T>> decoded, int ahead) {
    Function<? super Publisher<Delivery<T>>, ? extends Publisher<Delivery<T>>> lift =
        Operators.<Delivery<T>, Delivery<T>>lift(
            (scannable, subscriber) -> new InPlanOrder<>(subscriber, ahead));
    return decoded.transform(lift);
  }

  @Override
  public Context currentContext() {
    return actual.currentContext();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    upstream = subscription;
    actual.onSubscribe(this);
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(Delivery<T> delivery) {
    ring.set((int) (delivery.number() % ring.length()), delivery);
    drain();
  }

  @Override
  public void onError(Throwable error) {
    failure = error;
    drain();
  }

  @Override
  public void onComplete() {
    isComplete = true;
    drain();
  }

  @Override
  public void request(long n) {
    if (Operators.validate(n)) {
      requested.accumulateAndGet(n, Operators::addCap);
      drain();
    }
  }

  @Override
  public void cancel() {
    isCancelled = true;
    Subscription open = upstream;
    if (open != null) {
      open.cancel();
    }
  }

  private void drain() {
    if (work.getAndIncrement() != 0) {
      return;
    }
    int missed = 1;
    while (missed != 0) {
      emit();
      missed = work.addAndGet(-missed);
    }
  }

  private void emit() {
    while (!isCancelled && !isOver) {
      Throwable error = failure;
      if (error != null) {
        isOver = true;
        actual.onError(error);
        return;
      }
      boolean wasComplete = isComplete;
      int place = (int) (next % ring.length());
      Delivery<T> delivery = ring.get(place);
      if (delivery == null) {
        if (wasComplete) {
          isOver = true;
          actual.onComplete();
        }
        return;
      }
      if (requested.get() == 0) {
        return;
      }
      ring.set(place, null);
      next++;
      if (requested.get() != Long.MAX_VALUE) {
        requested.decrementAndGet();
      }
      actual.onNext(delivery);
    }
  }
}
