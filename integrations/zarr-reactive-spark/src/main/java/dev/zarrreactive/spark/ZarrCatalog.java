package dev.zarrreactive.spark;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.internal.hierarchy.ForeignContent;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.partition.Pull;
import dev.zarrreactive.partition.TableStoreOptions;
import dev.zarrreactive.store.ListEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.NamespaceChange;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.StagingTableCatalog;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A catalog of Spark SQL whose tables are named by their locations: with {@code
 * spark.sql.catalog.lake=dev.zarrreactive.spark.ZarrCatalog} a query reads {@code
 * lake.`s3://bucket/era5.zarr`}. With the setting {@code root}, a directory, {@code
 * lake.climate.era5} is {@code climate/era5} below it, and the catalog lists what is there. {@code
 * VERSION AS OF} and {@code TIMESTAMP AS OF} name a version of an Icechunk repository. Options of
 * reads are settings of the catalog, such as {@code spark.sql.catalog.lake.store.region}, and
 * options of writes after {@code write.}. It removes no table. A catalog with the name of the
 * format, {@code zarr}, would have Spark look for a format first where a timestamp is computed. The
 * class is public for Spark only.
 */
public final class ZarrCatalog implements StagingTableCatalog, SupportsNamespaces {
  private static final String ROOT = "root";
  private static final String OF_WRITES = "write.";

  /** Properties of a new table that Spark sets, and that say nothing of the format. */
  private static final Set<String> RESERVED =
      Set.of("provider", "owner", "external", "is_managed_location", "collation");

  private static final String KEEPS =
      "the catalog of Zarr makes tables by CREATE TABLE … AS SELECT, adds cells by INSERT INTO,"
          + " makes values missing by DELETE, and removes nothing;"
          + " df.write().format(\"zarr\").save(location) has all modes of writes";

  private String name = "";
  private String root = "";
  private Map<String, String> options = Map.of();
  private Map<String, String> ofWrites = Map.of();

  /** Called by Spark. */
  public ZarrCatalog() {}

  @Override
  public void initialize(String name, CaseInsensitiveStringMap settings) {
    this.name = name;
    Map<String, String> reads = new TreeMap<>();
    Map<String, String> writes = new TreeMap<>();
    settings
        .asCaseSensitiveMap()
        .forEach(
            (key, value) -> {
              String lower = key.toLowerCase(Locale.ROOT);
              if (lower.equals(ROOT)) {
                root = value.strip().replaceFirst("/+$", "");
              } else if (lower.startsWith(OF_WRITES)) {
                writes.put(key.substring(OF_WRITES.length()), value);
              } else {
                reads.put(key, value);
                if (TableStoreOptions.beginnings().stream().anyMatch(lower::startsWith)) {
                  writes.put(key, value);
                }
              }
            });
    options = Map.copyOf(reads);
    ofWrites = Map.copyOf(writes);
  }

  @Override
  public String name() {
    return name;
  }

  /** Lists the datasets, arrays and repositories of a directory; nothing without a root. */
  @Override
  public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
    List<Entry> entries = entries(namespace);
    if (entries.isEmpty()) {
      loadNamespaceMetadata(namespace); // a directory that is not there lists nothing, either
    }
    return entries.stream()
        .filter(Entry::isTable)
        .map(entry -> Identifier.of(namespace, entry.name))
        .toArray(Identifier[]::new);
  }

  @Override
  public String[][] listNamespaces() {
    return listNamespaces(new String[0]);
  }

  /** Lists the directories and groups without an array of their own. */
  @Override
  public String[][] listNamespaces(String[] namespace) {
    return entries(namespace).stream()
        .filter(entry -> !entry.isTable)
        .map(
            entry -> {
              String[] below = Arrays.copyOf(namespace, namespace.length + 1);
              below[namespace.length] = entry.name;
              return below;
            })
        .toArray(String[][]::new);
  }

  @Override
  public Map<String, String> loadNamespaceMetadata(String[] namespace)
      throws NoSuchNamespaceException {
    if (namespace.length > 0) {
      String[] above = Arrays.copyOf(namespace, namespace.length - 1);
      if (Arrays.stream(listNamespaces(above)).noneMatch(each -> Arrays.equals(each, namespace))) {
        throw new NoSuchNamespaceException(namespace);
      }
    }
    return root.isEmpty()
        ? Map.of()
        : Map.of(SupportsNamespaces.PROP_LOCATION, below(namespace, null));
  }

  /** A directory below the root. */
  private record Entry(String name, boolean isTable) {}

  private List<Entry> entries(String[] namespace) {
    if (root.isEmpty()) {
      return List.of();
    }
    Mono<List<Entry>> listed =
        Flux.usingWhen(
                readOptions(below(namespace, null), Map.of()).store().open(ZarrOptions.defaults()),
                ZarrCatalog::directories,
                hierarchy -> hierarchy.store().close())
            .collectList();
    try {
      return Pull.one(listed);
    } catch (IOException e) {
      throw new UncheckedIOException(
          new IOException("the directory " + below(namespace, null) + " cannot be listed", e));
    }
  }

  private static Flux<Entry> directories(ZarrHierarchy hierarchy) {
    return hierarchy
        .store()
        .listDir(StorePrefix.ROOT)
        .ofType(ListEntry.Prefix.class)
        .map(entry -> entry.prefix().value().replaceFirst("/$", ""))
        .sort()
        .concatMap(directory -> entry(hierarchy, directory));
  }

  private static Mono<Entry> entry(ZarrHierarchy hierarchy, String directory) {
    return hierarchy
        .inspect(directory)
        .flatMap(ZarrCatalog::isTable)
        .onErrorResume(
            NodeNotFoundException.class,
            none ->
                ForeignContent.inDirectory(hierarchy.store(), NodePath.of(directory))
                    .map(found -> found.adapter() != null)
                    .defaultIfEmpty(false))
        .map(isTable -> new Entry(directory, isTable));
  }

  private static Mono<Boolean> isTable(ZarrNode node) {
    return node instanceof ZarrGroup group
        ? group.children().any(ZarrArray.class::isInstance)
        : Mono.just(true);
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
    Table loaded = ZarrDataSource.load(readOptions(location(table), version));
    if (version.isEmpty() && loaded instanceof CellTable cells) {
      cells.allowWrites(writeOptions(location(table), Map.of()));
    }
    return loaded;
  }

  private String location(Identifier table) {
    String location = table.name();
    boolean isWhole = location.contains("://") || location.startsWith("/");
    if (table.namespace().length == 0 && (root.isEmpty() || isWhole)) {
      return location;
    }
    if (root.isEmpty()) {
      throw new IllegalArgumentException(
          "a table of the catalog "
              + name
              + " is one location in backquotes, such as "
              + name
              + ".`s3://bucket/era5.zarr`, not "
              + table
              + "; with spark.sql.catalog."
              + name
              + ".root names are paths below that directory");
    }
    return below(table.namespace(), location);
  }

  private String below(String[] namespace, @Nullable String table) {
    List<String> names = new ArrayList<>(List.of(namespace));
    if (table != null) {
      names.add(table);
    }
    for (String one : names) {
      if (one.equals("..") || one.equals(".") || one.isEmpty()) {
        throw new IllegalArgumentException(
            "the name \"" + one + "\" of a table or a namespace leads out of " + root);
      }
    }
    names.add(0, root);
    return String.join("/", names);
  }

  private TableOptions readOptions(String location, Map<String, String> version) {
    Map<String, String> all = new TreeMap<>(options);
    all.putAll(version);
    all.put("path", location);
    return TableOptions.of(new CaseInsensitiveStringMap(all));
  }

  private Map<String, String> writeOptions(String location, Map<String, String> given) {
    Map<String, String> all = new TreeMap<>(ofWrites);
    all.putAll(given);
    all.put("path", location);
    return all;
  }

  /** Begins {@code CREATE TABLE … AS SELECT}. */
  @Override
  @Deprecated
  public StagedTable stageCreate(
      Identifier table, StructType schema, Transform[] partitions, Map<String, String> properties)
      throws TableAlreadyExistsException {
    if (tableExists(table)) {
      throw new TableAlreadyExistsException(table);
    }
    return staged(table, schema, partitions, properties, SaveMode.ErrorIfExists);
  }

  /** Begins {@code REPLACE TABLE … AS SELECT}. */
  @Override
  @Deprecated
  public StagedTable stageReplace(
      Identifier table, StructType schema, Transform[] partitions, Map<String, String> properties) {
    return staged(table, schema, partitions, properties, SaveMode.Overwrite);
  }

  @Override
  @Deprecated
  public StagedTable stageCreateOrReplace(
      Identifier table, StructType schema, Transform[] partitions, Map<String, String> properties) {
    return staged(table, schema, partitions, properties, SaveMode.Overwrite);
  }

  private StagedTable staged(
      Identifier table,
      StructType schema,
      Transform[] partitions,
      Map<String, String> properties,
      SaveMode mode) {
    if (partitions.length > 0) {
      throw new IllegalArgumentException(
          "a table of the catalog "
              + name
              + " has no partitions: chunks divide it; name its dimensions by OPTIONS (dimensions"
              + " 'time,lat')");
    }
    Map<String, String> given = new TreeMap<>();
    properties.forEach(
        (key, value) -> {
          if (key.equals("provider") && !value.equalsIgnoreCase("zarr")) {
            throw new IllegalArgumentException(
                "the catalog " + name + " makes tables of the format zarr, not of " + value);
          }
          if (!RESERVED.contains(key) && !key.startsWith("option.")) {
            given.put(key, value);
          }
        });
    return new NewTable(name + "." + table, schema, writeOptions(location(table), given), mode);
  }

  /** Refuses a table without rows: a dataset finds its shape from them. */
  @Override
  @Deprecated
  public Table createTable(
      Identifier table, StructType schema, Transform[] partitions, Map<String, String> properties) {
    throw new UnsupportedOperationException(KEEPS);
  }

  @Override
  public Table alterTable(Identifier table, TableChange... changes) {
    throw new UnsupportedOperationException(KEEPS);
  }

  @Override
  public boolean dropTable(Identifier table) {
    throw new UnsupportedOperationException(KEEPS);
  }

  @Override
  public void renameTable(Identifier from, Identifier to) {
    throw new UnsupportedOperationException(KEEPS);
  }

  @Override
  public void createNamespace(String[] namespace, Map<String, String> metadata) {
    throw new UnsupportedOperationException(KEEPS);
  }

  @Override
  public void alterNamespace(String[] namespace, NamespaceChange... changes) {
    throw new UnsupportedOperationException(KEEPS);
  }

  @Override
  public boolean dropNamespace(String[] namespace, boolean cascade) {
    throw new UnsupportedOperationException(KEEPS);
  }
}
