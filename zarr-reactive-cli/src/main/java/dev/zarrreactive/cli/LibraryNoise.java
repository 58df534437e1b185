package dev.zarrreactive.cli;

import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps libraries from printing to standard error: the errors of the command say it already. */
final class LibraryNoise {
  private static final int FIRST_TO_WARN_OF_UNSAFE = 24;

  /** Held, for the log manager forgets the level of a logger without references. */
  private static final Set<Logger> LOGGERS =
      Set.of(Logger.getLogger("reactor"), Logger.getLogger("io.netty"));

  private LibraryNoise() {}

  /**
   * Silences them, before the first use of these libraries.
   *
   * @return the loggers, whose warnings go to no handler yet
   */
  static Set<Logger> silence() {
    System.setProperty("reactor.logging.fallback", "JDK"); // not standard output and error
    System.setProperty("slf4j.internal.verbosity", "ERROR"); // nothing of there being no logger
    LOGGERS.forEach(
        logger -> {
          logger.setLevel(Level.WARNING);
          logger.setUseParentHandlers(false);
        });
    if (Runtime.version().feature() >= FIRST_TO_WARN_OF_UNSAFE
        && System.getProperty("io.netty.noUnsafe") == null) {
      System.setProperty("io.netty.noUnsafe", "true"); // Netty does without, a little slower
    }
    return LOGGERS;
  }
}
