package dev.zarrreactive.cli;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What libraries print to standard error, where the command speaks: its errors say it already. */
final class LibraryNoise {
  private static final int FIRST_TO_WARN_OF_UNSAFE = 24;

  /** Kept, for a logger that nobody holds forgets its level. */
  private static final List<Logger> LOGGERS =
      List.of(Logger.getLogger("reactor"), Logger.getLogger("io.netty"));

  private LibraryNoise() {}

  /** To be called before anything of these libraries is used. */
  static void silence() {
    System.setProperty("reactor.logging.fallback", "JDK"); // not standard output and error
    System.setProperty("slf4j.internal.verbosity", "ERROR"); // nothing of there being no logger
    LOGGERS.forEach(logger -> logger.setLevel(Level.OFF));
    if (Runtime.version().feature() >= FIRST_TO_WARN_OF_UNSAFE
        && System.getProperty("io.netty.noUnsafe") == null) {
      System.setProperty("io.netty.noUnsafe", "true"); // Netty does without, a little slower
    }
  }
}
