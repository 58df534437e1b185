package dev.zarrreactive.dataset;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * A dataset to be written, or a part to be appended to one: variables with named dimensions, and
 * their values. {@link Dataset#builder} begins one. xarray opens the result as the same dataset.
 *
 * <p>Values are decoded ones: numbers with NaN for missing ones, {@code numpy.datetime64} or lists
 * of {@code Instant}, texts, booleans. {@link NewVariable} says how they are stored. The extent of
 * a dimension is that of its values; {@link #dimension} says it where all come as streams. {@link
 * #write} and {@link #appendTo} take what has been described so far, and check it when they are
 * subscribed to: dimensions with two extents are an {@link IllegalArgumentException}. Not
 * thread-safe.
 */
public final class NewDataset {
  private final Map<String, PlannedVariable> variables = new LinkedHashMap<>();
  private final Map<String, Long> dimensions = new LinkedHashMap<>();
  private JsonObject attributes = JsonObject.EMPTY;
  private int zarrFormat = 3;
  private boolean isConsolidated = true;
  private boolean isInAnyOrder;

  NewDataset() {}

  /** Says the extent of a dimension. */
  public NewDataset dimension(String name, long extent) {
    if (extent < 0) {
      throw new IllegalArgumentException("the extent of " + name + " is negative: " + extent);
    }
    dimensions.put(name, extent);
    return this;
  }

  /** Adds the coordinate of a dimension, as {@link #coordinate(String, List, UnaryOperator)}. */
  public NewDataset coordinate(String name, List<?> values) {
    return coordinate(name, values, UnaryOperator.identity());
  }

  /**
   * Adds the coordinate of a dimension, with its name.
   *
   * @param values of one kind: integers, numbers, texts, booleans, {@code Instant}, {@code
   *     LocalDate} or {@code LocalDateTime} in UTC, {@code Duration}, or {@link
   *     dev.zarrreactive.cf.CalendarDate} of the calendar that {@link NewVariable#times} names
   * @throws IllegalArgumentException for values of other kinds
   */
  public NewDataset coordinate(String name, List<?> values, UnaryOperator<NewVariable> settings) {
    return add(
        new PlannedVariable(
            name,
            true,
            List.of(name),
            PlannedVariable.Values.of(name, values),
            settings(settings)));
  }

  /** Adds the coordinate of a dimension, with its name. */
  public NewDataset coordinate(String name, NdArray values) {
    return coordinate(name, List.of(name), values, UnaryOperator.identity());
  }

  /** Adds the coordinate of a dimension, with its name. */
  public NewDataset coordinate(String name, NdArray values, UnaryOperator<NewVariable> settings) {
    return coordinate(name, List.of(name), values, settings);
  }

  /** Adds a coordinate of any dimensions, such as latitudes of a curved grid, or a scalar. */
  public NewDataset coordinate(
      String name, List<String> dimensions, NdArray values, UnaryOperator<NewVariable> settings) {
    return add(
        new PlannedVariable(
            name, true, dimensions, PlannedVariable.Values.of(values), settings(settings)));
  }

  /** Adds a variable. */
  public NewDataset variable(String name, List<String> dimensions, NdArray values) {
    return variable(name, dimensions, values, UnaryOperator.identity());
  }

  /** Adds a variable. The values are kept until they are written, and encoded in parts. */
  public NewDataset variable(
      String name, List<String> dimensions, NdArray values, UnaryOperator<NewVariable> settings) {
    return add(
        new PlannedVariable(
            name, false, dimensions, PlannedVariable.Values.of(values), settings(settings)));
  }

  /**
   * Adds a variable whose values come in blocks along its first dimension, of any number of rows.
   * Demand, memory and errors are those of {@link
   * dev.zarrreactive.ZarrArray#write(dev.zarrreactive.array.selection.Selection, Publisher)}: each
   * block is encoded as it comes, and each chunk is stored once. All variables are written at the
   * same time.
   *
   * @param values the type of the values
   * @param blocks the values, as many rows as the dimension has
   */
  public NewDataset variable(
      String name,
      List<String> dimensions,
      DataType values,
      Publisher<NdArray> blocks,
      UnaryOperator<NewVariable> settings) {
    return add(
        new PlannedVariable(
            name,
            false,
            dimensions,
            PlannedVariable.Values.of(values, blocks),
            settings(settings)));
  }

  /**
   * Adds a variable of another dataset, or the selected part of one, under its name. Its stored
   * elements are copied with its attributes, chunk by chunk. The copy has the chunks and codecs of
   * the original if no dimension was dropped, and chunks like them else. The dataset must have the
   * format of the original.
   *
   * <p>A formula is calculated while it is written, some rows of chunks at a time, or chunk by
   * chunk where a row of them takes more than an eighth of {@code maxInFlightBytes}; its chunks are
   * as long as those of its sources.
   */
  public NewDataset variable(Variable part) {
    return add(new PlannedVariable(part, false));
  }

  /**
   * Adds the values of a variable of another dataset, or of a formula, under its name. They are
   * decoded, and encoded again by the settings, which have the attributes of values already.
   */
  public NewDataset variable(Variable part, UnaryOperator<NewVariable> settings) {
    return add(new PlannedVariable(part.plain(), false, settings));
  }

  /** Adds a coordinate of another dataset; otherwise as {@link #variable(Variable)}. */
  public NewDataset coordinate(Variable part) {
    return add(new PlannedVariable(part, true));
  }

  private static NewVariable settings(UnaryOperator<NewVariable> settings) {
    return settings.apply(new NewVariable());
  }

  private NewDataset add(PlannedVariable variable) {
    if (variables.putIfAbsent(variable.name(), variable) != null) {
      throw new IllegalArgumentException(
          "the dataset has two variables of the name " + variable.name());
    }
    return this;
  }

  /** Sets an attribute of the dataset; as {@link NewVariable#attribute}. */
  public NewDataset attribute(String name, Object value) {
    return attributes(JsonObject.ofMap(Map.of(name, value)));
  }

  /** Adds attributes, in the place of others with their names. */
  public NewDataset attributes(JsonObject others) {
    others.members().forEach((name, value) -> attributes = attributes.with(name, value));
    return this;
  }

  /** Sets the version of Zarr, 2 or 3; by default 3. */
  public NewDataset zarrFormat(int format) {
    if (format != 2 && format != 3) {
      throw new IllegalArgumentException("the Zarr format is 2 or 3, not " + format);
    }
    zarrFormat = format;
    return this;
  }

  /** Says whether the metadata are consolidated at the end; by default they are. */
  public NewDataset consolidated(boolean consolidates) {
    isConsolidated = consolidates;
    return this;
  }

  /**
   * Says whether an append takes times that step back, or are there already, as programs need it
   * that append at the same time; by default they are refused.
   */
  public NewDataset inAnyOrder(boolean takesAny) {
    isInAnyOrder = takesAny;
    return this;
  }

  /**
   * Creates a group at a location, {@code write(Zarr.at("air.zarr"))}, writes the dataset, and
   * opens it. Errors are those of {@link ZarrLocation#createGroup(GroupMetadata)}, such as {@link
   * dev.zarrreactive.error.NodeExistsException} for an existing node, those of the streams, and
   * {@link IllegalArgumentException} for a value that does not fit, with its place. After an error
   * or a cancel parts of the dataset may be stored, without consolidated metadata.
   */
  public Mono<Dataset> write(ZarrLocation location) {
    DatasetOutput output = output();
    ZarrOptions options = location.options();
    return Mono.usingWhen(
        Mono.defer(() -> location.createGroup(output.checkedGroup())),
        group -> output.write(group, options),
        kept -> Mono.empty(),
        (group, error) -> group.store().close(),
        group -> group.store().close());
  }

  /** Writes the dataset to a path of a hierarchy; otherwise as {@link #write(ZarrLocation)}. */
  public Mono<Dataset> write(ZarrHierarchy hierarchy, String path) {
    DatasetOutput output = output();
    return Mono.defer(
        () ->
            hierarchy
                .createGroup(path, output.checkedGroup())
                .flatMap(group -> output.write(group, hierarchy.options())));
  }

  /**
   * Returns the metadata of the group and of its arrays, by path, as {@link #write} creates them.
   * With {@link ZarrHierarchy#array} and {@link ZarrHierarchy#create}, programs on many machines
   * store chunks first and the metadata last. No stream is subscribed to.
   *
   * @param path the path of the group
   * @throws IllegalArgumentException if variables contradict each other
   */
  public Map<String, NodeMetadata> nodes(String path) {
    DatasetOutput output = output();
    NodePath group = NodePath.of(path);
    Map<String, NodeMetadata> nodes = new LinkedHashMap<>();
    nodes.put(group.value(), output.checkedGroup());
    output.arrays().forEach((name, metadata) -> nodes.put(group.resolve(name).value(), metadata));
    return nodes;
  }

  private DatasetOutput output() {
    return new DatasetOutput(
        List.copyOf(variables.values()),
        Map.copyOf(dimensions),
        GroupMetadata.of(zarrFormat, attributes),
        isConsolidated,
        isInAnyOrder);
  }

  /**
   * Appends the values along a dimension of the dataset at a location. They are encoded by the
   * attributes that are there; {@link NewVariable#raw} alone is used of the settings. All variables
   * with the dimension must be given, and no others but labels of other dimensions, which must be
   * those of the dataset: numbers may differ by a thousandth of the least distance between two.
   * Times go on from those of the dataset: one that is not later than the one before is refused, or
   * not earlier where they descend, unless {@link #inAnyOrder} takes it.
   *
   * <p>The place is reserved by the coordinate of the dimension, or by the first variable where it
   * has none, whose values must be in memory: its {@link dev.zarrreactive.ZarrArray#append(int,
   * NdArray)} comes first. The other arrays get their values behind their end, where no reader
   * looks, and grow when these are stored. So whatever ends the append, an error, a cancel or the
   * end of the process, the dataset is as before, or has all rows, or has arrays of unequal
   * lengths: a dataset that is opened by the documents of its arrays, and the next append, are
   * refused then, with both lengths. To resize the longer arrays to the shorter extent takes the
   * append back. The only variable with a dimension grows as a single array does. Consolidated
   * metadata are written again at the end.
   *
   * <p>Programs that append at the same time set {@link #inAnyOrder}, and {@link #consolidated} to
   * false, and one consolidates afterwards. They take rows of their own in all variables, under the
   * conditions of {@link dev.zarrreactive.ZarrArray#append(int, NdArray)}. An append that goes on
   * from unequal lengths is done before the one that has left them: arrays grow before they get
   * their values, and rows that a killed program has reserved are fill value.
   *
   * <p>Values in memory are encoded before anything changes.
   *
   * @return completes when all is stored; {@link IllegalArgumentException} if variables, dimensions
   *     or values do not fit, and {@link dev.zarrreactive.error.MetadataException} for arrays of
   *     unequal lengths, before anything has changed
   */
  public Mono<Void> appendTo(ZarrLocation location, String dimension) {
    ZarrOptions options = location.options().withConsolidatedMetadata(false);
    DatasetOutput output = output();
    return Mono.usingWhen(
        location.withOptions(options).openGroup(),
        group -> new DatasetAppend(output, dimension, options).to(group),
        group -> group.store().close());
  }

  /** Appends to the dataset at a path; otherwise as {@link #appendTo(ZarrLocation, String)}. */
  public Mono<Void> appendTo(ZarrHierarchy hierarchy, String path, String dimension) {
    ZarrOptions options = hierarchy.options().withConsolidatedMetadata(false);
    DatasetOutput output = output();
    return Zarr.hierarchy(hierarchy.store(), options)
        .openGroup(path)
        .flatMap(group -> new DatasetAppend(output, dimension, options).to(group));
  }
}
