package dev.zarrreactive.spark;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;

/** A table of the catalog that a query makes: nothing is stored before its rows are. */
final class NewTable implements StagedTable, SupportsWrite {
  private final String name;
  private final StructType schema;
  private final Map<String, String> options;
  private final SaveMode mode;
  private volatile boolean hasRows;

  NewTable(String name, StructType schema, Map<String, String> options, SaveMode mode) {
    this.name = name;
    this.schema = schema;
    this.options = options;
    this.mode = mode;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  @SuppressWarnings("deprecation") // columns() leads here
  public StructType schema() {
    return schema;
  }

  @Override
  public Set<TableCapability> capabilities() {
    return mode == SaveMode.Overwrite
        ? Set.of(TableCapability.V1_BATCH_WRITE, TableCapability.TRUNCATE)
        : Set.of(TableCapability.V1_BATCH_WRITE);
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    hasRows = true;
    return RowsWrite.of(options, info.options(), mode);
  }

  /**
   * Does nothing: the rows are stored.
   *
   * @throws UnsupportedOperationException if no query gave rows, as for {@code REPLACE TABLE}
   *     without {@code AS SELECT}
   */
  @Override
  public void commitStagedChanges() {
    if (!hasRows) {
      throw new UnsupportedOperationException(
          "the table "
              + name
              + " has no rows, from which a dataset finds its shape; add AS SELECT to the"
              + " statement");
    }
  }

  /** Does nothing: a failed write removes what it has stored. */
  @Override
  public void abortStagedChanges() {}
}
