package dev.zarrreactive.spark;

import dev.zarrreactive.spark.write.ZarrSave;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.V1Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.sources.InsertableRelation;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The rows of a statement of SQL, written as {@code df.write()} writes them. */
final class RowsWrite implements V1Write {
  private final Map<String, String> options;
  private final SaveMode mode;

  private RowsWrite(Map<String, String> options, SaveMode mode) {
    this.options = options;
    this.mode = mode;
  }

  /**
   * Returns a write.
   *
   * @param given the options of the statement, which come before {@code options}
   */
  static WriteBuilder of(
      Map<String, String> options, CaseInsensitiveStringMap given, SaveMode mode) {
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(options);
    all.putAll(given.asCaseSensitiveMap());
    RowsWrite write = new RowsWrite(all, mode);
    return new SupportsTruncate() {
      /** Replaces a table as its mode does. */
      @Override
      public WriteBuilder truncate() {
        return this;
      }

      @Override
      public V1Write build() {
        return write;
      }
    };
  }

  @Override
  public InsertableRelation toInsertableRelation() {
    return (rows, isOverwrite) -> {
      try {
        ZarrSave.save(options, mode, rows);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }
}
