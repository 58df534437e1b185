package dev.zarrreactive.spark;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;

/** The warnings of the format while this is open. */
final class Warnings implements AutoCloseable {
  private final Queue<String> texts = new ConcurrentLinkedQueue<>();
  private static final String NAME = "dev.zarrreactive.spark.ZarrDataSource";

  private final AbstractAppender appender =
      new AbstractAppender("warnings", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          if (event.getLevel().isMoreSpecificThan(Level.WARN)) {
            texts.add(event.getMessage().getFormattedMessage());
          }
        }
      };

  private Warnings() {}

  static Warnings begin() {
    Configurator.setLevel(NAME, Level.WARN);
    Warnings warnings = new Warnings();
    warnings.appender.start();
    logger().addAppender(warnings.appender);
    return warnings;
  }

  private static Logger logger() {
    return (Logger) LogManager.getLogger(NAME);
  }

  List<String> texts() {
    return List.copyOf(texts);
  }

  @Override
  public void close() {
    logger().removeAppender(appender);
    appender.stop();
  }
}
