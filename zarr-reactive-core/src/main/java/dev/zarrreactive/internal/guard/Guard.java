package dev.zarrreactive.internal.guard;

import java.util.function.Supplier;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Calls observers; what they throw does not touch the work that they observe. */
public final class Guard {
  private Guard() {}

  /** Runs {@code call}; what it throws goes to Reactor's {@code onErrorDropped} hook. */
  public static void run(Runnable call) {
    get(
        () -> {
          call.run();
          return true;
        },
        false);
  }

  /** What {@code call} gives, or {@code otherwise} where it throws; as {@link #run}. */
  public static <T> T get(Supplier<T> call, T otherwise) {
    try {
      return call.get();
    } catch (Throwable thrown) {
      Exceptions.throwIfFatal(thrown);
      dropped(thrown);
      return otherwise;
    }
  }

  /** A hook that somebody has set may throw, too. */
  private static void dropped(Throwable thrown) {
    try {
      Operators.onErrorDropped(thrown, Context.empty());
    } catch (Throwable again) {
      Exceptions.throwIfFatal(again);
    }
  }
}
