package dev.zarrreactive.internal.codec.blosc;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A few idle objects that are dear to make. Lock-free; what is not kept is disposed of. Not bound
 * to threads, so that many short-lived threads do not each hold one.
 */
final class Pool<T> {
  private final AtomicReferenceArray<T> idle =
      new AtomicReferenceArray<>(Math.max(4, Runtime.getRuntime().availableProcessors()));
  private final Supplier<T> maker;
  private final Consumer<? super T> disposer;

  Pool(Supplier<T> maker, Consumer<? super T> disposer) {
    this.maker = maker;
    this.disposer = disposer;
  }

  /** An object that nobody else has; give it back. */
  T take() {
    for (int i = 0; i < idle.length(); i++) {
      T object = idle.getAndSet(i, null);
      if (object != null) {
        return object;
      }
    }
    return maker.get();
  }

  /** Gives back what {@link #take} gave. */
  void give(T object) {
    for (int i = 0; i < idle.length(); i++) {
      if (idle.compareAndSet(i, null, object)) {
        return;
      }
    }
    disposer.accept(object);
  }
}
