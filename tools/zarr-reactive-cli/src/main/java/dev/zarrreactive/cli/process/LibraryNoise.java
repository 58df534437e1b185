package dev.zarrreactive.cli.process;

import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps libraries from printing to standard error: the command reports their errors itself. */
public final class LibraryNoise {
  private static final int FIRST_TO_WARN_OF_UNSAFE = 24;

  /** Strong references: the log manager drops a logger without one, and its level with it. */
  private static final Set<Logger> LOGGERS =
      Set.of(Logger.getLogger("reactor"), Logger.getLogger("io.netty"));

  private LibraryNoise() {}

  /**
   * Silences the libraries; called before their first use.
   *
   * @return the loggers, whose warnings have no handler yet
   */
  public static Set<Logger> silence() {
    System.setProperty(
        "reactor.logging.fallback", "JDK"); // the fallback would be standard output and error
    System.setProperty("slf4j.internal.verbosity", "ERROR"); // silent about a missing logger
    LOGGERS.forEach(
        logger -> {
          logger.setLevel(Level.WARNING);
          logger.setUseParentHandlers(false);
        });
    if (Runtime.version().feature() >= FIRST_TO_WARN_OF_UNSAFE
        && System.getProperty("io.netty.noUnsafe") == null) {
      System.setProperty("io.netty.noUnsafe", "true"); // Netty's safe way is a little slower
    }
    return LOGGERS;
  }
}
