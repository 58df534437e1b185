package dev.zarrreactive.spark;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * Brings the rule of coordinates to sessions that began without it: PySpark makes sessions in a way
 * in which Spark looks for no extension in jars. Spark asks for the rules of its optimizer in each
 * query, so a rule that comes with the first table is in time for it. Those that Spark keeps when a
 * session begins need {@code spark.sql.extensions}.
 */
final class SessionRules {
  private static final Logger LOG = LoggerFactory.getLogger(ZarrDataSource.class);

  /** The extensions of sessions that have the rule; sessions are compared by their identity. */
  private static final Set<SparkSessionExtensions> KNOWN =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private SessionRules() {}

  /** Adds the rule to the extensions of a session, once. */
  static void add(SparkSessionExtensions extensions) {
    if (KNOWN.add(extensions)) {
      extensions.injectOptimizerRule(session -> new CoordinateRule());
    }
  }

  /** Adds the rule to the session of this thread, where it has none. */
  static void ensure() {
    Option<SparkSession> session = SparkSession.getActiveSession();
    if (session.isEmpty()) {
      session = SparkSession.getDefaultSession();
    }
    if (session.isEmpty()) {
      return;
    }
    try {
      Object extensions = session.get().getClass().getMethod("extensions").invoke(session.get());
      if (extensions instanceof SparkSessionExtensions known) {
        add(known);
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.info("this Spark tells no extensions of a session; name them by spark.sql.extensions", e);
    }
  }
}
