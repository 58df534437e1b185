package dev.zarrreactive.spark;

import dev.zarrreactive.error.NodeNotFoundException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A catalog of Spark SQL whose tables are named by their locations: with {@code
 * spark.sql.catalog.lake=dev.zarrreactive.spark.ZarrCatalog} a query reads {@code
 * lake.`s3://bucket/era5.zarr`}. {@code VERSION AS OF} and {@code TIMESTAMP AS OF} name a version
 * of an Icechunk repository. Options of reads are settings of the catalog, such as {@code
 * spark.sql.catalog.lake.store.region}. It lists no tables, and neither makes nor removes any. A
 * catalog with the name of the format, {@code zarr}, would have Spark look for a format first where
 * a timestamp is computed. The class is public for Spark only.
 */
public final class ZarrCatalog implements TableCatalog {
  private static final String READS_ONLY =
      "the catalog of Zarr reads what is at a location; write by"
          + " df.write().format(\"zarr\").save(location)";

  private String name = "";
  private Map<String, String> options = Map.of();

  /** Called by Spark. */
  public ZarrCatalog() {}

  @Override
  public void initialize(String name, CaseInsensitiveStringMap options) {
    this.name = name;
    this.options = Map.copyOf(options.asCaseSensitiveMap());
  }

  @Override
  public String name() {
    return name;
  }

  /** Lists nothing: a location is no list of tables. */
  @Override
  public Identifier[] listTables(String[] namespace) {
    return new Identifier[0];
  }

  @Override
  public boolean tableExists(Identifier table) {
    try {
      loadTable(table);
      return true;
    } catch (NodeNotFoundException missing) {
      return false;
    }
  }

  @Override
  public Table loadTable(Identifier table) {
    return load(table, Map.of());
  }

  /**
   * Loads a version of a repository.
   *
   * @param version the id of a snapshot, {@code branch.NAME}, {@code tag.NAME}, or the name of a
   *     tag
   */
  @Override
  public Table loadTable(Identifier table, String version) {
    if (version.matches("[0-9A-Z]{20}")) {
      return load(table, Map.of("snapshot", version));
    }
    if (version.startsWith("branch.")) {
      return load(table, Map.of("branch", version.substring("branch.".length())));
    }
    return load(
        table,
        Map.of("tag", version.startsWith("tag.") ? version.substring("tag.".length()) : version));
  }

  /**
   * Loads the last snapshot of a branch at an instant, or before it.
   *
   * @param timestamp in microseconds since 1970
   */
  @Override
  public Table loadTable(Identifier table, long timestamp) {
    return load(
        table, Map.of("as-of", Instant.EPOCH.plus(timestamp, ChronoUnit.MICROS).toString()));
  }

  private Table load(Identifier table, Map<String, String> version) {
    if (table.namespace().length > 0) {
      throw new IllegalArgumentException(
          "a table of the catalog "
              + name
              + " is one location in backquotes, such as "
              + name
              + ".`s3://bucket/era5.zarr`, not "
              + table);
    }
    Map<String, String> all = new TreeMap<>(options);
    all.putAll(version);
    all.put("path", table.name());
    return ZarrDataSource.load(TableOptions.of(new CaseInsensitiveStringMap(all)));
  }

  @Override
  @Deprecated
  public Table createTable(
      Identifier table, StructType schema, Transform[] partitions, Map<String, String> properties) {
    throw new UnsupportedOperationException(READS_ONLY);
  }

  @Override
  public Table alterTable(Identifier table, TableChange... changes) {
    throw new UnsupportedOperationException(READS_ONLY);
  }

  @Override
  public boolean dropTable(Identifier table) {
    throw new UnsupportedOperationException(READS_ONLY);
  }

  @Override
  public void renameTable(Identifier from, Identifier to) {
    throw new UnsupportedOperationException(READS_ONLY);
  }
}
