package dev.zarrreactive.cli.console;

import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreRetry;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Tells the user of the first request that is repeated. Thread-safe. */
public final class RetryNotice implements StoreObserver {
  private final Consumer<String> told;
  private final AtomicBoolean silent = new AtomicBoolean();

  /** Creates a notice that calls {@code told}, on any thread. */
  public RetryNotice(Consumer<String> told) {
    this.told = told;
  }

  @Override
  public void onRetry(StoreRetry retry) {
    if (silent.compareAndSet(false, true)) {
      String reason =
          retry.error() instanceof ZarrException error
              ? error.statement()
              : retry.error().getClass().getSimpleName();
      told.accept(reason + "; trying again (--no-retry fails at once)");
    }
  }
}
