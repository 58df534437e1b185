package dev.zarrreactive.spark;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.partition.CellMask;
import dev.zarrreactive.partition.GridSource;
import dev.zarrreactive.partition.IndexBox;
import dev.zarrreactive.partition.IndexRanges;
import dev.zarrreactive.partition.TableLayout;
import dev.zarrreactive.partition.VariableSource;
import dev.zarrreactive.spark.Conditions.Decided;
import dev.zarrreactive.spark.write.ZarrSave;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.connector.catalog.SupportsDeleteV2;
import org.apache.spark.sql.connector.catalog.SupportsMetadataColumns;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The cells of a dataset or of one array: a row for each index of the dimensions, a column for each
 * coordinate and variable that has no other dimension.
 */
final class CellTable
    implements Table, SupportsRead, SupportsWrite, SupportsDeleteV2, SupportsMetadataColumns {
  /** The beginning of the names of metadata columns. */
  static final String INDEX = TableLayout.INDEX;

  /** A query warns of no more conditions. */
  private static final int MOST_WARNINGS = 100;

  private final TableOptions options;
  private final ZarrHierarchy hierarchy;
  private final List<String> dimensions;
  private final long[] extents;
  private final Map<String, CellColumn> columns;
  private final Map<String, ZarrArray> arrays;
  private final IndexBox selected;
  private final LabelFunctions functions = new LabelFunctions();

  /** The conditions of which warnings tell, by the query that Spark plans. */
  private final Map<Object, Set<String>> warned = Collections.synchronizedMap(new WeakHashMap<>());

  private volatile boolean isWatched;
  private volatile @Nullable Map<String, String> writes;

  CellTable(
      TableOptions options,
      ZarrHierarchy hierarchy,
      List<String> dimensions,
      long[] extents,
      Map<String, CellColumn> columns,
      Map<String, ZarrArray> arrays,
      IndexBox selected) {
    this.options = options;
    this.hierarchy = hierarchy;
    this.dimensions = dimensions;
    this.extents = extents;
    this.columns = columns;
    this.arrays = arrays;
    this.selected = selected;
  }

  TableOptions options() {
    return options;
  }

  /** The functions of labels in queries of this table. */
  LabelFunctions functions() {
    return functions;
  }

  /** Notes that the rules of the session see the conditions on this table. */
  void watch() {
    isWatched = true;
  }

  /** Returns true if the rules of the session see the conditions on this table. */
  boolean isWatched() {
    return isWatched;
  }

  /** Notes a condition of which a warning tells; returns true for one that is new in a query. */
  boolean noteWarning(Object query, String condition) {
    Set<String> told = warned.computeIfAbsent(query, any -> ConcurrentHashMap.newKeySet());
    return told.size() < MOST_WARNINGS && told.add(condition);
  }

  List<String> dimensions() {
    return dimensions;
  }

  /** Returns the cells for which a condition on several dimensions is true. */
  CellMask mask(Decided decided) {
    int[] own = decided.dimensions().stream().mapToInt(d -> d).toArray();
    return CellMask.of(
        own, Arrays.stream(own).mapToLong(d -> extents[d]).toArray(), decided.truth().isTrue());
  }

  /**
   * Returns the cells that any of some boxes has, as a mask of the dimensions that they bound; null
   * where these have too many places for one.
   */
  @Nullable CellMask mask(List<IndexBox> boxes) {
    int[] own =
        IntStream.range(0, extents.length)
            .filter(
                d ->
                    boxes.stream()
                        .anyMatch(
                            box -> !box.dimensions().get(d).equals(selected.dimensions().get(d))))
            .toArray();
    long[] sizes = Arrays.stream(own).mapToLong(d -> extents[d]).toArray();
    return IndexBox.all(sizes).cells() > Conditions.MOST_VALUES
        ? null
        : CellMask.ofBoxes(own, sizes, boxes);
  }

  /** The number of values of a column. */
  long size(CellColumn column) {
    return IndexBox.all(Arrays.stream(column.dimensions()).mapToLong(d -> extents[d]).toArray())
        .cells();
  }

  IndexBox selected() {
    return selected;
  }

  @Nullable CellColumn column(String name) {
    return columns.get(name);
  }

  Collection<CellColumn> all() {
    return columns.values();
  }

  /** The number of indices of a dimension. */
  long extent(String dimension) {
    return extents[dimension(dimension)];
  }

  private int dimension(String name) {
    int dimension = dimensions.indexOf(name);
    if (dimension < 0) {
      throw new IllegalArgumentException(
          "the option follow names " + name + ", but the dimensions are " + dimensions);
    }
    return dimension;
  }

  /** Returns a scan of the selected cells with some indices of a dimension. */
  CellScan scan(StructType required, String dimension, IndexRanges indices) {
    for (String name : required.fieldNames()) {
      if (!columns.containsKey(name)) {
        throw new IllegalStateException(
            "the stream has the column " + name + ", which " + name() + " lacks");
      }
    }
    return new CellScan(
        this,
        new Conditions(this),
        required,
        selected.and(dimension(dimension), indices),
        List.of(),
        Long.MAX_VALUE,
        List.of(),
        null);
  }

  /** The hierarchy of the driver. */
  ZarrHierarchy hierarchy() {
    return hierarchy;
  }

  /** Reads all values of a coordinate, on the driver. */
  Mono<CellVector> read(CellColumn column) {
    VariableSource source = Objects.requireNonNull(column.source());
    return source
        .open(hierarchy)
        .flatMap(
            opened ->
                opened
                    .array()
                    .read(Selection.all())
                    .map(stored -> CellValues.of(opened.decoding(), stored)));
  }

  /** The array of a column. */
  ZarrArray array(String name) {
    ZarrArray array = arrays.get(name);
    if (array == null) {
      throw new IllegalArgumentException("there is no variable " + name);
    }
    return array;
  }

  /**
   * Returns the variables whose chunks divide the rows along each dimension: a widest one among the
   * wanted with the largest chunks, and others for dimensions that it lacks.
   */
  GridSource grid(Collection<CellColumn> wanted) {
    return GridSource.of(wanted, all(), arrays, extents);
  }

  @Override
  public String name() {
    return "zarr "
        + options.store().location()
        + (options.group().isEmpty() ? "" : "/")
        + options.group();
  }

  @Override
  @SuppressWarnings("deprecation") // columns() came with Spark 3.4, and leads here
  public StructType schema() {
    StructType schema = new StructType();
    for (CellColumn column : columns.values()) {
      if (!column.isHidden()) {
        schema = schema.add(column.name(), column.type(), isNullable(column));
      }
    }
    return schema;
  }

  static boolean isNullable(CellColumn column) {
    return column.source() != null;
  }

  @Override
  public MetadataColumn[] metadataColumns() {
    return columns.values().stream()
        .filter(CellColumn::isHidden)
        .map(IndexColumn::new)
        .toArray(MetadataColumn[]::new);
  }

  /** The index of a dimension. */
  private record IndexColumn(CellColumn column) implements MetadataColumn {
    @Override
    public String name() {
      return column.name();
    }

    @Override
    public DataType dataType() {
      return column.type();
    }

    @Override
    public boolean isNullable() {
      return false;
    }

    @Override
    public String comment() {
      return "the index in the dimension " + column.name().substring(INDEX.length());
    }
  }

  @Override
  public Set<TableCapability> capabilities() {
    return writes == null
        ? Set.of(TableCapability.BATCH_READ, TableCapability.MICRO_BATCH_READ)
        : Set.of(
            TableCapability.BATCH_READ,
            TableCapability.MICRO_BATCH_READ,
            TableCapability.V1_BATCH_WRITE);
  }

  /** Lets statements of SQL write to this table of a catalog, with some options. */
  void allowWrites(Map<String, String> writeOptions) {
    writes = writeOptions;
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return RowsWrite.of(
        Objects.requireNonNull(writes, "Spark asks for the capability first"),
        info.options(),
        SaveMode.Append);
  }

  /** Returns true for conditions that are indices, without a row to read. */
  @Override
  public boolean canDeleteWhere(Predicate[] predicates) {
    return predicates.length > 0 && selected(predicates) != null;
  }

  private @Nullable IndexBox selected(Predicate[] predicates) {
    Conditions conditions = new Conditions(this);
    IndexBox box = selected;
    for (Predicate predicate : predicates) {
      Decided decided = conditions.decide(predicate);
      if (decided == null || !decided.isOfOne()) {
        return null;
      }
      box = box.and(decided.dimensions().get(0), decided.truth().isTrue());
    }
    return box;
  }

  /**
   * Makes values missing: those of the cells of each variable that has all dimensions of the
   * conditions. The cells stay, as those of an array do.
   */
  @Override
  public void deleteWhere(Predicate[] predicates) {
    Map<String, String> settings = writes;
    IndexBox box = selected(predicates);
    if (settings == null) {
      throw new UnsupportedOperationException(
          name() + " is one version of a table; DELETE changes a table of a catalog");
    } else if (box == null) {
      throw new UnsupportedOperationException(
          "DELETE of the format zarr has conditions on one coordinate each, and not "
              + Arrays.toString(predicates));
    }
    List<Integer> bound =
        IntStream.range(0, extents.length)
            .filter(d -> !box.dimensions().get(d).equals(selected.dimensions().get(d)))
            .boxed()
            .toList();
    List<CellColumn> variables =
        columns.values().stream()
            .filter(column -> column.source() != null && !column.isLabel())
            .filter(column -> !dimensions.contains(column.name()))
            .filter(column -> bound.stream().allMatch(d -> column.axis(d) >= 0))
            .toList();
    List<String> own =
        dimensions.stream()
            .filter(
                name -> variables.stream().anyMatch(one -> one.axis(dimensions.indexOf(name)) >= 0))
            .toList();
    if (box.cells() == 0 || variables.isEmpty()) {
      return;
    }
    IndexBox cells =
        new IndexBox(
            own.stream().map(name -> box.dimensions().get(dimensions.indexOf(name))).toList());
    try {
      ZarrSave.save(
          settings,
          SaveMode.Append,
          MissingCells.rows(SparkSession.active(), own, cells, variables));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean truncateTable() {
    throw new UnsupportedOperationException(
        "a table of the format zarr keeps its cells; DELETE with conditions on coordinates makes"
            + " values missing");
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap readOptions) {
    return new CellScanBuilder(this);
  }
}
