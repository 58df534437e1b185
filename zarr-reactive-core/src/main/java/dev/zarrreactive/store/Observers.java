package dev.zarrreactive.store;

import dev.zarrreactive.internal.guard.Guard;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/** The observer in a subscriber's context, to which decorators report. */
final class Observers {
  private Observers() {}

  static @Nullable StoreObserver of(ContextView subscriber) {
    return subscriber.hasKey(StoreObserver.KEY) ? subscriber.get(StoreObserver.KEY) : null;
  }

  static void tell(@Nullable StoreObserver observer, Consumer<StoreObserver> what) {
    if (observer != null) {
      Guard.run(() -> what.accept(observer));
    }
  }
}
