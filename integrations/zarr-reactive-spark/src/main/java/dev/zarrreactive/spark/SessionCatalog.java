package dev.zarrreactive.spark;

/**
 * Refuses tables of the session's catalog, which keep a schema and are read through Spark's first
 * interface: {@code CREATE TABLE … USING zarr} would make a table that nothing can use.
 *
 * <p>Spark tells a format nothing of {@code CREATE TABLE}. It makes an instance of the format while
 * it analyses the statement, and takes the error of the constructor for that of the statement. So
 * the stack says what an instance is for. A line of Spark with other names creates the table, and
 * its use is refused with the same words.
 */
final class SessionCatalog {
  static final String ADVICE =
      "the catalog of a Spark session cannot keep a table of the format zarr; read it by CREATE"
          + " TEMPORARY VIEW name USING zarr OPTIONS (path 'location'), which has the schema of the"
          + " metadata, and write by df.write().format(\"zarr\").save(location)";

  /** The rule that analyses CREATE TABLE, REPLACE TABLE and both of them with AS SELECT. */
  private static final String RULE = "org.apache.spark.sql.catalyst.analysis.ResolveSessionCatalog";

  /** Instances are made, too, where Spark looks for any other format. */
  private static final String LOOK_UP = "java.util.ServiceLoader";

  /** The frames of Spark between its rule and the constructor of a format are fewer. */
  private static final int DEPTH = 24;

  private SessionCatalog() {}

  /**
   * Throws if the caller's caller is asked for by a statement that makes a table of the catalog.
   *
   * @throws IllegalArgumentException with what helps
   */
  static void refuseTables() {
    boolean isForTable =
        StackWalker.getInstance()
            .walk(
                frames ->
                    frames
                        .limit(DEPTH)
                        .map(StackWalker.StackFrame::getClassName)
                        .filter(name -> name.startsWith(RULE) || name.startsWith(LOOK_UP))
                        .findFirst()
                        .filter(name -> name.startsWith(RULE))
                        .isPresent());
    if (isForTable) {
      throw refusal();
    }
  }

  static IllegalArgumentException refusal() {
    return new IllegalArgumentException(ADVICE);
  }
}
