package dev.zarrreactive.dataset;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.StoreOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The arrays of one group as variables with shared, named dimensions, or a selected part of them.
 * The names are {@code dimension_names} in Zarr v3, and the attribute {@code _ARRAY_DIMENSIONS} in
 * Zarr v2, or the names of netCDF-C; a dimension without a name has the array's name and its
 * number, {@code a_0}.
 *
 * <p>To open a dataset reads metadata: one document where they are consolidated, else those of all
 * nodes below. Values are read on demand. Immutable and thread-safe. Publishers are cold; a cancel
 * ends their requests, and signals come on a thread of the codec scheduler or of the store.
 *
 * <p>{@code sel} and {@code isel} return parts. The groups below a part are whole.
 */
public final class Dataset {
  private static final int OPENED_AT_A_TIME = 8;

  private final ZarrGroup group;
  private final Map<String, Variable> variables;
  private final Set<String> coordinates;
  private final Map<String, Long> sizes;
  private final DatasetBuilder builder;
  private final List<UnreadableNode> unreadable;
  private final CoordinateValues cache;

  Dataset(
      ZarrGroup group,
      Map<String, Variable> variables,
      Set<String> coordinates,
      Map<String, Long> sizes,
      DatasetBuilder builder,
      List<UnreadableNode> unreadable,
      CoordinateValues cache) {
    this.group = group;
    this.variables = variables;
    this.coordinates = coordinates;
    this.sizes = sizes;
    this.builder = builder;
    this.unreadable = unreadable;
    this.cache = cache;
  }

  /**
   * Opens the group at a location, {@code Dataset.open(Zarr.at("air.zarr"))}, and all groups below
   * it. Errors are those of {@link ZarrLocation#openGroup()} and of {@link #of(ZarrGroup)}.
   */
  public static Mono<Dataset> open(ZarrLocation location) {
    return location.openGroup().flatMap(Dataset::of);
  }

  /**
   * Opens the group at a location with options of its store, such as credentials: {@code
   * Dataset.open(Zarr.at("s3://bucket/air.zarr"), StoreOptions.none().with("anonymous", "true"))}.
   * The options take the place of those that the location has; otherwise as {@link
   * #open(ZarrLocation)}.
   */
  public static Mono<Dataset> open(ZarrLocation location, StoreOptions options) {
    return open(location.withStoreOptions(options));
  }

  /** Opens the group at a path of a hierarchy; otherwise as {@link #open(ZarrLocation)}. */
  public static Mono<Dataset> open(ZarrHierarchy hierarchy, String path) {
    return hierarchy.openGroup(path).flatMap(Dataset::of);
  }

  /** Reads the metadata below a group, and decodes by all rules; as {@link #of(ZarrGroup, Set)}. */
  public static Mono<Dataset> of(ZarrGroup group) {
    return of(group, CfRule.all());
  }

  /**
   * Reads the metadata below a group. {@link MetadataException} if arrays of this group have
   * dimensions of one name and different extents; the arrays of a group below are compared when the
   * group is asked for. An array that cannot be opened is one of {@link #unreadable}.
   *
   * @param rules the rules by which values are decoded, such as {@link CfRule#xarray()}
   */
  public static Mono<Dataset> of(ZarrGroup group, Set<CfRule> rules) {
    return group.tree().collectList().map(nodes -> new DatasetBuilder(rules, nodes).dataset(group));
  }

  /**
   * Returns the dataset of nodes that are read already.
   *
   * @param nodes the nodes below the group, at least its arrays
   * @throws MetadataException as {@link #of(ZarrGroup, Set)} emits it
   */
  public static Dataset of(ZarrGroup group, List<ZarrNode> nodes, Set<CfRule> rules) {
    return new DatasetBuilder(rules, nodes).dataset(group);
  }

  /**
   * Returns the dataset of some variables, and of all others that agree with them: an array of the
   * group that gives a dimension another extent is left out, such as another level of an image.
   *
   * @param nodes the nodes below the group, at least its arrays
   * @param names the names of the variables that are wanted
   * @throws MetadataException if the wanted variables do not agree with each other
   */
  public static Dataset of(
      ZarrGroup group, List<ZarrNode> nodes, Set<CfRule> rules, Collection<String> names) {
    return of(group, DatasetBuilder.agreeing(group, nodes, names), rules);
  }

  /**
   * Opens the groups at several locations as one dataset; as {@link #combine}. Eight of them are
   * opened at a time. Errors are those of {@link #open(ZarrLocation)} and of {@link #combine}.
   */
  public static Mono<Dataset> open(List<ZarrLocation> locations) {
    return all(locations, Dataset::open).flatMap(Dataset::combine);
  }

  /**
   * Opens the groups at several locations as one dataset along a dimension, in the order of the
   * list; as {@link #concat(String, List)}.
   */
  public static Mono<Dataset> open(List<ZarrLocation> locations, String dimension) {
    return all(locations, Dataset::open).flatMap(datasets -> concat(dimension, datasets));
  }

  /** Opens the groups with options of all stores; otherwise as {@link #open(List)}. */
  public static Mono<Dataset> open(List<ZarrLocation> locations, StoreOptions options) {
    return open(with(locations, options));
  }

  /** Opens the groups with options of all stores; otherwise as {@link #open(List, String)}. */
  public static Mono<Dataset> open(
      List<ZarrLocation> locations, String dimension, StoreOptions options) {
    return open(with(locations, options), dimension);
  }

  private static List<ZarrLocation> with(List<ZarrLocation> locations, StoreOptions options) {
    return locations.stream().map(location -> location.withStoreOptions(options)).toList();
  }

  /** Opens several groups of a hierarchy as one dataset; as {@link #combine}. */
  public static Mono<Dataset> open(ZarrHierarchy hierarchy, List<String> paths) {
    return all(paths, path -> open(hierarchy, path)).flatMap(Dataset::combine);
  }

  /**
   * Opens several groups of a hierarchy as one dataset along a dimension, in the order of the list;
   * as {@link #concat(String, List)}.
   */
  public static Mono<Dataset> open(ZarrHierarchy hierarchy, List<String> paths, String dimension) {
    return all(paths, path -> open(hierarchy, path))
        .flatMap(datasets -> concat(dimension, datasets));
  }

  private static <P> Mono<List<Dataset>> all(
      List<P> places, Function<? super P, Mono<Dataset>> open) {
    return Concurrently.mapInOrder(Flux.fromIterable(List.copyOf(places)), OPENED_AT_A_TIME, open)
        .collectList();
  }

  /**
   * Returns datasets as one, along a dimension and in the order of the list. Data are read when the
   * result is, and of those stores alone in which something is selected; this reads coordinates.
   *
   * <p>Along a dimension that the datasets have, the variables that have it are joined. Along a new
   * one, all data variables are joined, and the dimension comes first; a coordinate without a
   * dimension that has its name becomes its labels. All other coordinates are equal in all
   * datasets, and of data variables without the dimension the result has those of the first
   * dataset, as it has its attributes.
   *
   * <p>Numbers of several types become the common type of NumPy. Times become those of the finest
   * unit, exactly, whatever their {@code units} say.
   *
   * @param datasets at least one
   * @return {@link MetadataException} if they do not go together: other variables, dimensions,
   *     types, {@code units} of numbers, calendars or labels; it names both datasets
   * @throws IllegalArgumentException for an empty list
   */
  public static Mono<Dataset> concat(String dimension, List<Dataset> datasets) {
    return DatasetJoin.concat(dimension, notEmpty(datasets));
  }

  /**
   * Returns datasets as one along a new dimension, with labels; otherwise as {@link #concat(String,
   * List)}.
   *
   * @param labels a variable with the name of its only dimension, and one value for each dataset
   * @throws IllegalArgumentException for other labels
   */
  public static Mono<Dataset> concat(Variable labels, List<Dataset> datasets) {
    if (!labels.isIndex() || labels.shape().extent(0) != datasets.size()) {
      throw new IllegalArgumentException(
          labels
              + " of the shape "
              + labels.shape()
              + " has no label for each of "
              + datasets.size()
              + " datasets");
    }
    return concat(labels.name(), datasets).map(joined -> joined.assign(labels));
  }

  /**
   * Returns datasets as one that their coordinates put in order, as xarray's {@code
   * combine_by_coords}: those of the same data variables are joined along each dimension whose
   * labels differ, also tiles along several; then all are merged. Datasets without a variable, or
   * without a position of a dimension, add nothing. Otherwise as {@link #concat(String, List)} and
   * {@link #merge}.
   *
   * @return {@link MetadataException} also if the labels of the whole do not ascend or descend,
   *     because two datasets overlap; and if a tile is missing
   */
  public static Mono<Dataset> combine(List<Dataset> datasets) {
    return DatasetJoin.combine(notEmpty(datasets));
  }

  /**
   * Returns the variables of several datasets as one dataset, with the attributes of the first one.
   * A coordinate of several datasets has equal values in all; this reads them.
   *
   * @return {@link MetadataException} if two datasets have a data variable of one name, another
   *     extent of a dimension, or other labels; it names both
   * @throws IllegalArgumentException for an empty list
   */
  public static Mono<Dataset> merge(List<Dataset> datasets) {
    return DatasetJoin.merge(notEmpty(datasets));
  }

  private static List<Dataset> notEmpty(List<Dataset> datasets) {
    if (datasets.isEmpty()) {
      throw new IllegalArgumentException("at least one dataset is needed");
    }
    return List.copyOf(datasets);
  }

  /** Begins the description of a dataset that is written, or appended to another one. */
  public static NewDataset builder() {
    return new NewDataset();
  }

  /**
   * Writes the variables, or the selected parts, to a new dataset at a location: stored elements
   * with their attributes, as {@link NewDataset#variable(Variable)} copies them, in the format of
   * the original. The groups below are left out. Errors are those of {@link
   * NewDataset#write(ZarrLocation)}.
   *
   * @return the copy
   */
  public Mono<Dataset> writeTo(ZarrLocation location) {
    return copy().write(location);
  }

  /**
   * Writes the variables, some of them encoded by settings: {@code writeTo(location, Map.of("t2m",
   * t2m -> t2m.packed(INT16, 0.01, 273.15).missing(-32768)))}; otherwise as {@link
   * #writeTo(ZarrLocation)}.
   *
   * @param settings by the names of variables, as {@link NewDataset#variable(Variable,
   *     UnaryOperator)} takes them
   * @throws InvalidInputException as {@link #variable}
   */
  public Mono<Dataset> writeTo(
      ZarrLocation location, Map<String, UnaryOperator<NewVariable>> settings) {
    settings.keySet().forEach(this::variable);
    return copy(variables.values(), settings).write(location);
  }

  /**
   * Appends the variables with a dimension to those of another dataset; variables without it are
   * left out, because that one has its own. The labels of other dimensions must be those of that
   * one. Errors are those of {@link NewDataset#appendTo(ZarrLocation, String)}.
   *
   * @throws InvalidInputException if the dataset lacks the dimension
   */
  public Mono<Void> appendTo(ZarrLocation location, String dimension) {
    size(dimension);
    List<Variable> some =
        variables.values().stream()
            .filter(
                variable ->
                    variable.dimensions().contains(dimension)
                        || variable.dimensions().equals(List.of(variable.name())))
            .toList();
    return copy(some, Map.of()).appendTo(location, dimension);
  }

  /** Writes to a path of a hierarchy; otherwise as {@link #writeTo(ZarrLocation)}. */
  public Mono<Dataset> writeTo(ZarrHierarchy hierarchy, String path) {
    return copy().write(hierarchy, path);
  }

  private NewDataset copy() {
    return copy(variables.values(), Map.of());
  }

  private NewDataset copy(
      Collection<Variable> some, Map<String, UnaryOperator<NewVariable>> settings) {
    NewDataset copy = builder().attributes(attributes()).zarrFormat(group.metadata().zarrFormat());
    for (Variable variable : some) {
      UnaryOperator<NewVariable> its = settings.get(variable.name());
      if (its != null) {
        copy.variable(variable, its);
      } else if (variable.hasDimensionOfItsName()) {
        // a coordinate that has lost its dimension is known by an attribute only
        copy.coordinate(variable);
      } else {
        copy.variable(variable);
      }
    }
    return copy;
  }

  /** The group's path in its store. */
  public NodePath path() {
    return group.path();
  }

  /** The stored group. */
  public ZarrGroup group() {
    return group;
  }

  /** The attributes of the group. */
  public JsonObject attributes() {
    return group.attributes();
  }

  /** The extents of the dimensions by name, in the order of the variables. */
  public Map<String, Long> sizes() {
    return sizes;
  }

  /** All variables by name, in the order of their names. */
  public Map<String, Variable> variables() {
    return variables;
  }

  /**
   * The variables that are coordinates: ones with the name of a dimension; ones that {@code
   * coordinates}, {@code bounds}, {@code grid_mapping}, {@code cell_measures}, {@code
   * formula_terms}, {@code climatology} or a geometry's attribute names, if the group has all of
   * one attribute (CF 5, 5.6, 7); and ones with an {@code axis}.
   */
  public Map<String, Variable> coordinates() {
    return only(true);
  }

  /** The variables that are no coordinates. */
  public Map<String, Variable> dataVariables() {
    return only(false);
  }

  private Map<String, Variable> only(boolean areCoordinates) {
    Map<String, Variable> some = new LinkedHashMap<>(variables);
    some.keySet().removeIf(name -> coordinates.contains(name) != areCoordinates);
    return some;
  }

  /**
   * Returns a variable.
   *
   * @throws InvalidInputException if there is none of the name; the message lists the names
   * @throws ZarrException for an array that cannot be opened, as {@link #unreadable} has it
   */
  public Variable variable(String name) {
    Variable variable = variables.get(name);
    if (variable == null) {
      checkReadable(name);
      throw new InvalidInputException(
          "the dataset "
              + path()
              + " has no variable "
              + name
              + ", but "
              + variables.keySet().stream().limit(50).collect(Collectors.joining(", ")));
    }
    return variable;
  }

  /** Throws the error of an array of a name that cannot be opened. */
  private void checkReadable(String name) {
    for (UnreadableNode node : unreadable) {
      if (node.path().name().equals(name)) {
        throw node.error();
      }
    }
  }

  /**
   * Finds the only coordinate with a CF key: an {@code axis} ({@code X}, {@code Y}, {@code Z},
   * {@code T}), a {@code standard_name} such as {@code latitude}, or a name. Units tell latitudes,
   * longitudes and times apart where attributes say nothing (CF 4).
   */
  public Optional<Variable> coordinate(String key) {
    return CoordinateKeys.find(key, coordinates().values());
  }

  /** The groups in this group that are datasets, by name, each with its own below. */
  public Map<String, Dataset> groups() {
    Map<String, Dataset> groups = new LinkedHashMap<>();
    look(groups::put, (name, error) -> {});
    return Collections.unmodifiableMap(groups);
  }

  /**
   * The groups in this group that are no datasets, by name, each with its error: arrays that do not
   * agree about the extent of a dimension, such as the levels of an image.
   */
  public Map<String, MetadataException> refusedGroups() {
    Map<String, MetadataException> refused = new LinkedHashMap<>();
    look((name, dataset) -> {}, refused::put);
    return Collections.unmodifiableMap(refused);
  }

  private void look(
      BiConsumer<String, Dataset> datasets, BiConsumer<String, MetadataException> refused) {
    builder
        .groups(path())
        .forEach(
            (name, child) -> {
              try {
                datasets.accept(name, builder.dataset(child));
              } catch (MetadataException e) {
                refused.accept(name, e);
              }
            });
  }

  /**
   * Returns the group at a path below this one, such as {@code a/b}. The groups on the way need not
   * be datasets.
   *
   * @throws InvalidInputException if there is none
   * @throws MetadataException if its arrays do not agree about the extent of a dimension
   */
  public Dataset group(String path) {
    ZarrGroup found = group;
    for (String name : List.of(path.split("/", -1))) {
      Map<String, ZarrGroup> groups = builder.groups(found.path());
      ZarrGroup next = name.isEmpty() ? found : groups.get(name);
      if (next == null) {
        throw new InvalidInputException(
            "the dataset "
                + found.path()
                + " has no group "
                + name
                + ", but "
                + String.join(", ", groups.keySet()));
      }
      found = next;
    }
    return found == group ? this : builder.dataset(found);
  }

  /** The nodes in this group that cannot be opened, each with its error. */
  public List<UnreadableNode> unreadable() {
    return unreadable;
  }

  /** Returns the variables with stored elements instead of values; labels are stored ones, too. */
  public Dataset raw() {
    return map(Variable::raw, new CoordinateValues());
  }

  /**
   * Returns the dataset with further variables, or with others in the place of those with their
   * names: {@code dataset.assign(dataset.variable("u").times(2).named("double"))}. A variable with
   * the name of its only dimension is its coordinate.
   *
   * @throws IllegalArgumentException if a dimension would have two extents
   */
  public Dataset assign(Variable... others) {
    List<Variable> all = new ArrayList<>(variables.values());
    all.addAll(List.of(others));
    return of(all);
  }

  private static Map<String, Long> agreeingSizes(Collection<Variable> variables) {
    Map<String, Long> sizes = DatasetBuilder.sizes(variables);
    for (Variable variable : variables) {
      List<String> names = variable.dimensions();
      for (int d = 0; d < names.size(); d++) {
        if (!Objects.equals(sizes.get(names.get(d)), variable.shape().extent(d))) {
          throw new IllegalArgumentException(
              "the dimension "
                  + names.get(d)
                  + " has the extent "
                  + variable.shape().extent(d)
                  + " in "
                  + variable.name()
                  + ", but "
                  + sizes.get(names.get(d))
                  + " in another variable");
        }
      }
    }
    return sizes;
  }

  private Dataset map(UnaryOperator<Variable> change, CoordinateValues coordinateValues) {
    Map<String, Variable> changed = new LinkedHashMap<>();
    variables.forEach((name, variable) -> changed.put(name, change.apply(variable)));
    return new Dataset(
        group,
        changed,
        coordinates,
        DatasetBuilder.sizes(changed.values()),
        builder,
        unreadable,
        coordinateValues);
  }

  /** Selects indices of a dimension of all variables; as {@link Variable#isel(String, String)}. */
  public Dataset isel(String dimension, String indices) {
    return with(dimension, Variable.positions(Selection.parse(indices), size(dimension)));
  }

  /** Selects one index of a dimension, and drops the dimension. */
  public Dataset isel(String dimension, long index) {
    return isel(dimension, DimensionSelection.at(index));
  }

  /** Selects indices of a dimension. */
  public Dataset isel(String dimension, DimensionSelection indices) {
    return with(dimension, Variable.positions(Selection.of(indices), size(dimension)));
  }

  long size(String dimension) {
    Long size = sizes.get(dimension);
    if (size == null) {
      throw new InvalidInputException(
          "the dataset " + path() + " has the dimensions " + sizes.keySet() + ", not " + dimension);
    }
    return size;
  }

  Dataset with(String dimension, Axis positions) {
    return map(variable -> variable.with(dimension, positions), cache);
  }

  /** Returns the dataset with each variable changed. */
  Dataset changed(UnaryOperator<Variable> change) {
    return map(change, cache);
  }

  /**
   * Returns the dataset with values between those of a coordinate.
   *
   * @param labels of the dimension
   */
  Dataset interpolated(
      String dimension, CoordinateIndex<?> index, List<?> labels, Interpolation how) {
    List<InterpolatedValues.Place> places = new ArrayList<>();
    labels.forEach(label -> places.add(index.place(label)));
    List<Variable> all = new ArrayList<>();
    for (Variable each : variables.values()) {
      if (each.name().equals(dimension)) {
        all.add(index.labels(each, labels));
      } else if (!each.dimensions().contains(dimension)) {
        all.add(each);
      } else if (each.isOfNumbers() && !each.dataType().equals(DataTypes.BOOL)) {
        all.add(
            new Variable(
                each.name(),
                each.plainAttributes(),
                InterpolatedValues.of(each.values(), dimension, places, how)));
      }
    }
    return of(all);
  }

  /** Returns the beginning of a chain, which selects all. */
  public DatasetSelection select() {
    return new DatasetSelection(this);
  }

  /** Selects a label; as {@link DatasetSelection#sel(String, Object)}. */
  public DatasetSelection sel(String dimension, Object label) {
    return select().sel(dimension, label);
  }

  /** Selects a label; as {@link DatasetSelection#sel(String, Object, LabelMethod)}. */
  public DatasetSelection sel(String dimension, Object label, LabelMethod method) {
    return select().sel(dimension, label, method);
  }

  /** Selects a label; as {@link DatasetSelection#sel(String, Object, LabelMethod, Object)}. */
  public DatasetSelection sel(
      String dimension, Object label, LabelMethod method, Object tolerance) {
    return select().sel(dimension, label, method, tolerance);
  }

  /** Selects a range; as {@link DatasetSelection#sel(String, Object, Object)}. */
  public DatasetSelection sel(String dimension, Object from, Object to) {
    return select().sel(dimension, from, to);
  }

  /** Selects a range; as {@link DatasetSelection#selFrom}. */
  public DatasetSelection selFrom(String dimension, Object from) {
    return select().selFrom(dimension, from);
  }

  /** Selects a range; as {@link DatasetSelection#selTo}. */
  public DatasetSelection selTo(String dimension, Object to) {
    return select().selTo(dimension, to);
  }

  /** Selects by a condition; as {@link DatasetSelection#sel(Variable)}. */
  public DatasetSelection sel(Variable condition) {
    return select().sel(condition);
  }

  /** Selects points; as {@link DatasetSelection#selPoints(String, Map, LabelMethod)}. */
  public DatasetSelection selPoints(
      String dimension, Map<String, ? extends List<?>> labels, LabelMethod method) {
    return select().selPoints(dimension, labels, method);
  }

  /** Selects points; as {@link DatasetSelection#iselPoints}. */
  public DatasetSelection iselPoints(String dimension, Map<String, long[]> indices) {
    return select().iselPoints(dimension, indices);
  }

  /** Makes values between labels; as {@link DatasetSelection#interp(String, List)}. */
  public DatasetSelection interp(String dimension, List<?> labels) {
    return select().interp(dimension, labels);
  }

  /**
   * Makes values between labels; as {@link DatasetSelection#interp(String, List, Interpolation)}.
   */
  public DatasetSelection interp(String dimension, List<?> labels, Interpolation how) {
    return select().interp(dimension, labels, how);
  }

  /** Selects longitudes; as {@link DatasetSelection#selAround}. */
  public DatasetSelection selAround(String dimension, double from, double to) {
    return select().selAround(dimension, from, to);
  }

  /** Selects labels; as {@link DatasetSelection#sel(String, List)}. */
  public DatasetSelection sel(String dimension, List<?> labels) {
    return select().sel(dimension, labels);
  }

  /**
   * Returns statistics of all variables over some dimensions, or over all where none is named.
   *
   * @throws IllegalArgumentException if the dataset lacks one of them
   */
  public DatasetReduction over(String... dimensions) {
    String[] names = dimensions.length == 0 ? sizes.keySet().toArray(String[]::new) : dimensions;
    return new DatasetReduction(this, Set.of(), null, false, null).over(names);
  }

  /**
   * Divides a dimension of times into periods of its calendar, from that of the first time to that
   * of the last one, for statistics of each one. The labels are the first moments of the periods.
   *
   * @throws IllegalArgumentException if the dataset lacks the dimension
   */
  public DatasetReduction resample(String dimension, CalendarPeriod period) {
    size(dimension);
    return divided(
        dimension,
        Mono.defer(() -> index(dimension))
            .map(index -> Groups.periods(variable(dimension), index, period)));
  }

  /**
   * Puts times together by a part of their date, such as all Januaries, for statistics of each
   * group. The results have the dimension {@link CalendarPart#label} in its place.
   *
   * @throws IllegalArgumentException if the dataset lacks the dimension
   */
  public DatasetReduction groupBy(String dimension, CalendarPart part) {
    size(dimension);
    return divided(
        dimension,
        Mono.defer(() -> index(dimension))
            .map(index -> Groups.parts(variable(dimension), index, part)));
  }

  /**
   * Puts together the positions of a dimension that have equal labels: numbers or texts of a
   * variable of one dimension. The results have its name as their dimension, in ascending order.
   *
   * @throws InvalidInputException as {@link #variable}
   * @throws IllegalArgumentException if the variable has no dimension, or several
   */
  public DatasetReduction groupBy(String labels) {
    Variable of = variable(labels);
    if (of.dimensions().size() != 1) {
      throw new IllegalArgumentException("labels have one dimension, and " + of + " has not");
    }
    return divided(of.dimensions().get(0), cache.values(of).map(all -> Groups.labels(of, all)));
  }

  private DatasetReduction divided(String dimension, Mono<Groups> groups) {
    return new DatasetReduction(
        this, Set.of(), new DatasetReduction.Division(dimension, groups), false, null);
  }

  /** Returns a dataset of the same group with other variables. */
  Dataset of(Collection<Variable> others) {
    Map<String, Variable> all = new TreeMap<>();
    others.forEach(other -> all.put(other.name(), other));
    Set<String> known = new LinkedHashSet<>(coordinates);
    others.stream().filter(Variable::isIndex).map(Variable::name).forEach(known::add);
    others.forEach(other -> known.add(text(other.attributes(), "bounds")));
    known.retainAll(all.keySet());
    return new Dataset(
        group,
        Collections.unmodifiableMap(all),
        known,
        agreeingSizes(all.values()),
        builder,
        unreadable,
        new CoordinateValues());
  }

  /**
   * Returns a dataset of variables of several datasets, of which this is the first.
   *
   * @param names of the coordinates
   */
  Dataset joined(Collection<Variable> all, Set<String> names, List<Dataset> datasets) {
    Map<String, Variable> byName = new TreeMap<>();
    all.forEach(variable -> byName.put(variable.name(), variable));
    Set<String> known = new LinkedHashSet<>(names);
    known.retainAll(byName.keySet());
    return new Dataset(
        group,
        Collections.unmodifiableMap(byName),
        known,
        agreeingSizes(byName.values()),
        new DatasetBuilder(CfRule.all(), List.of()),
        datasets.stream().flatMap(each -> each.unreadable.stream()).toList(),
        new CoordinateValues());
  }

  /** Returns where the dataset is, for messages. */
  String place() {
    return (path().isRoot() ? "" : path() + " in ") + group.store();
  }

  /**
   * Streams aligned blocks of several variables with their coordinates, in C order. {@link
   * DatasetBlock} says how blocks are chosen, and which memory they take.
   *
   * @param names at least one variable; coordinates may be among them
   * @throws InvalidInputException as {@link #variable}
   */
  public Flux<DatasetBlock> blocks(String... names) {
    return new BlockStream(this, List.of(names)).blocks();
  }

  /**
   * Returns a picture of a variable of one or two dimensions with the labels of its coordinates:
   * {@code dataset.isel("time", 0).picture("t2m")}.
   *
   * @throws InvalidInputException as {@link #variable}
   */
  public VariablePicture picture(String name) {
    return VariablePicture.of(this, variable(name));
  }

  /** Returns the values of a coordinate of one dimension, of the selected part. */
  Mono<NdArray> values(Variable coordinate) {
    return cache.values(coordinate);
  }

  /** Returns the index of a dimension's coordinate, of the selected part. */
  Mono<CoordinateIndex<?>> index(String dimension) {
    size(dimension);
    Variable coordinate = variables.get(dimension);
    if (coordinate == null || !coordinate.isIndex()) {
      checkReadable(dimension);
      throw new InvalidInputException(
          "the dimension " + dimension + " of " + path() + " has no coordinate; use isel");
    }
    return cache.values(coordinate).map(values -> CoordinateValues.index(coordinate, values));
  }

  /** Returns a summary: dimensions, coordinates, data variables, attributes and groups. */
  @Override
  public String toString() {
    return new DatasetText(this).toString();
  }

  /** Returns the text of a string attribute, empty for another. */
  static String text(JsonObject attributes, String name) {
    return attributes.get(name) instanceof JsonString text ? text.value() : "";
  }
}
