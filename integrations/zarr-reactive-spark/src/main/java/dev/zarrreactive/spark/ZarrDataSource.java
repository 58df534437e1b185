package dev.zarrreactive.spark;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.partition.Pull;
import dev.zarrreactive.spark.write.ZarrSave;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.execution.streaming.Sink;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.CreatableRelationProvider;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.sources.RelationProvider;
import org.apache.spark.sql.sources.SchemaRelationProvider;
import org.apache.spark.sql.sources.StreamSinkProvider;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The format {@code zarr} of Apache Spark: {@code spark.read().format("zarr").load(location)}. A
 * table has the cells of a dataset or an array, its chunks, or the nodes of a hierarchy; {@code
 * docs/spark.md} has the options. A load reads metadata, on the thread that asks for it. The class
 * is public for Spark only.
 */
public final class ZarrDataSource
    implements TableProvider,
        DataSourceRegister,
        CreatableRelationProvider,
        StreamSinkProvider,
        RelationProvider,
        SchemaRelationProvider {
  private @Nullable Loaded loaded;

  /**
   * Called by Spark.
   *
   * @throws IllegalArgumentException where Spark would make a table of its catalog
   */
  public ZarrDataSource() {
    SessionCatalog.refuseTables();
  }

  /** A table with the options for which it was loaded. */
  private record Loaded(TableOptions options, Table table) {}

  @Override
  public String shortName() {
    return "zarr";
  }

  @Override
  @SuppressWarnings("deprecation") // columns() leads here
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return table(options).schema();
  }

  /** Returns true, so that Spark asks for no schema of a location that it writes to. */
  @Override
  public boolean supportsExternalMetadata() {
    return true;
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return loaded == null
        ? new UnreadTable(schema)
        : table(new CaseInsensitiveStringMap(properties));
  }

  /**
   * The table of a write, before anything is known of it. It cannot be written through {@code
   * DataSource V2}, whose tables know the modes append and overwrite only, so that Spark calls
   * {@link #createRelation} in every mode.
   */
  private static final class UnreadTable implements Table {
    private final StructType schema;

    UnreadTable(StructType schema) {
      this.schema = schema;
    }

    @Override
    public String name() {
      return "zarr";
    }

    @Override
    @SuppressWarnings("deprecation") // columns() leads here
    public StructType schema() {
      return schema;
    }

    @Override
    public Set<TableCapability> capabilities() {
      return Set.of();
    }
  }

  /** Refuses a table of the catalog without columns: Spark asks for it where one is used. */
  @Override
  public BaseRelation createRelation(
      SQLContext context, scala.collection.immutable.Map<String, String> parameters) {
    throw SessionCatalog.refusal();
  }

  /**
   * Refuses the schema of a caller: Spark asks for it where a read names one, and where a table of
   * the catalog with columns is used.
   */
  @Override
  public BaseRelation createRelation(
      SQLContext context,
      scala.collection.immutable.Map<String, String> parameters,
      StructType schema) {
    throw new IllegalArgumentException(
        "the format zarr finds the schema in the metadata; leave schema() out, and cast columns. "
            + SessionCatalog.ADVICE);
  }

  /** Writes rows, as Spark asks for {@code df.write().format("zarr").save(location)}. */
  @Override
  public BaseRelation createRelation(
      SQLContext context,
      SaveMode mode,
      scala.collection.immutable.Map<String, String> parameters,
      org.apache.spark.sql.Dataset<Row> rows) {
    Map<String, String> options = options(parameters);
    try {
      ZarrSave.save(options, mode, rows);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    StructType schema = rows.schema();
    return new BaseRelation() {
      @Override
      public SQLContext sqlContext() {
        return context;
      }

      @Override
      public StructType schema() {
        return schema;
      }
    };
  }

  private static Map<String, String> options(
      scala.collection.immutable.Map<String, String> parameters) {
    Map<String, String> options = new TreeMap<>();
    scala.collection.Iterator<scala.Tuple2<String, String>> each = parameters.iterator();
    while (each.hasNext()) {
      scala.Tuple2<String, String> option = each.next();
      options.put(option._1(), option._2());
    }
    return options;
  }

  /** Writes a stream, as Spark asks for {@code df.writeStream().format("zarr").start(location)}. */
  @Override
  public Sink createSink(
      SQLContext context,
      scala.collection.immutable.Map<String, String> parameters,
      scala.collection.immutable.Seq<String> partitions,
      OutputMode mode) {
    return createSink(context, parameters, (scala.collection.Seq<String>) partitions, mode);
  }

  /** Writes a stream: so is the method called in Scala 2.12, where a list has another type. */
  public Sink createSink(
      SQLContext context,
      scala.collection.immutable.Map<String, String> parameters,
      scala.collection.Seq<String> partitions,
      OutputMode mode) {
    if (!partitions.isEmpty()) {
      throw new IllegalArgumentException(
          "a stream to the format zarr has no partitions: chunks divide the arrays");
    }
    if (mode.equals(OutputMode.Complete())) {
      throw new IllegalArgumentException(
          "a stream to the format zarr has the output mode append or update, not complete: a batch"
              + " adds cells, and replaces those with equal labels");
    }
    Map<String, String> options = options(parameters);
    options.keySet().removeIf("checkpointLocation"::equalsIgnoreCase);
    return new BatchSink(options);
  }

  /** Spark asks for the schema, and then for the table. */
  private Table table(CaseInsensitiveStringMap given) {
    TableOptions options = TableOptions.of(given);
    Loaded before = loaded;
    if (before != null && before.options.equals(options)) {
      return before.table;
    }
    Table table = load(options);
    loaded = new Loaded(options, table);
    return table;
  }

  /** Loads a table: reads metadata, and waits for them. */
  static Table load(TableOptions options) {
    SessionRules.ensure();
    try {
      return Pull.one(open(options));
    } catch (IOException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new UncheckedIOException(e);
    }
  }

  /** Opens what is at the location now: the tasks of a query read this version, too. */
  private static Mono<Table> open(TableOptions given) {
    return given
        .store()
        .openPinned(
            ZarrOptions.defaults().withDrafts(given.acceptedDrafts()),
            (store, hierarchy) -> table(given.with(store), hierarchy));
  }

  private static Mono<Table> table(TableOptions options, ZarrHierarchy hierarchy) {
    return hierarchy
        .open(options.group())
        .flatMap(
            node ->
                switch (options.mode()) {
                  case CELLS -> cells(options, hierarchy, node);
                  case CHUNKS ->
                      nodes(node)
                          .map(
                              nodes ->
                                  new ChunkTable(
                                      options,
                                      nodes.stream()
                                          .filter(ZarrArray.class::isInstance)
                                          .map(ZarrArray.class::cast)
                                          .toList()));
                  case ARRAYS ->
                      nodes(node).map(nodes -> new NodeTable(options.store().location(), nodes));
                });
  }

  private static Mono<Table> cells(TableOptions options, ZarrHierarchy hierarchy, ZarrNode node) {
    return node instanceof ZarrGroup group
        ? dataset(options, group)
            .map(dataset -> CellTableBuilder.of(options, hierarchy, node, dataset))
        : Mono.fromSupplier(() -> CellTableBuilder.of(options, hierarchy, node, null));
  }

  /** Emits the dataset of a group; arrays that do not agree with the variables are left out. */
  private static Mono<Dataset> dataset(TableOptions options, ZarrGroup group) {
    Set<CfRule> rules = options.rules().rules();
    return options.variables().isEmpty()
        ? Dataset.of(group, rules)
        : group
            .tree()
            .collectList()
            .map(nodes -> Dataset.of(group, nodes, rules, options.variables()));
  }

  private static Mono<List<ZarrNode>> nodes(ZarrNode node) {
    return node instanceof ZarrGroup group
        ? group.tree().startWith(node).collectList()
        : Mono.just(List.of(node));
  }
}
