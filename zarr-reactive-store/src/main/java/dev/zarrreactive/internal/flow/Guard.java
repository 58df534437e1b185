package dev.zarrreactive.internal.flow;

import java.util.function.Supplier;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Calls observers, and keeps their exceptions away from the work that they observe. */
public final class Guard {
  private Guard() {}

  /** Runs {@code call}, and hands its exceptions to Reactor's {@code onErrorDropped} hook. */
  public static void run(Runnable call) {
    get(
        () -> {
          call.run();
          return true;
        },
        false);
  }

  /**
   * Returns the result of {@code call}, or {@code otherwise} after an exception, see {@link #run}.
   */
  public static <T> T get(Supplier<T> call, T otherwise) {
    try {
      return call.get();
    } catch (Throwable thrown) {
      Exceptions.throwIfFatal(thrown);
      dropped(thrown);
      return otherwise;
    }
  }

  /** Drops an exception. A hook of the application may throw, too. */
  private static void dropped(Throwable thrown) {
    try {
      Operators.onErrorDropped(thrown, Context.empty());
    } catch (Throwable again) {
      Exceptions.throwIfFatal(again);
    }
  }
}
