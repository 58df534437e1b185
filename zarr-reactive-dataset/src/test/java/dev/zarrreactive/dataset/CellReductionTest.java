package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** First and last values, positions of extremes, and histograms of cells against loops. */
class CellReductionTest {
  private static final double[] EDGES = {0, 10, 30, 31, 99};

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private int groups;

  private Dataset dataset(Shape shape, long[] chunk, NdArray values, ZarrOptions options) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, options);
    String group = "g" + groups++;
    await(hierarchy.createGroup(group));
    await(
        hierarchy
            .createArray(
                group + "/x",
                ArrayMetadata.v3(shape, values.dataType())
                    .chunkShape(chunk)
                    .dimensionNames("a", "b", "c")
                    .attributes(Json.object("{'_FillValue': 250, 'units': 'm'}"))
                    .build())
            .flatMap(array -> array.write(Selection.all(), values)));
    return requireNonNull(await(Dataset.open(hierarchy, group)));
  }

  private static NdArray random(Random random, DataType type, Shape shape) {
    int[] values =
        random
            .ints(shape.elementCount().intValueExact(), -40, 100)
            .map(value -> value < 0 ? 250 : value)
            .toArray();
    return NdArray.ofInts(DataTypes.INT32, shape, values).cast(type);
  }

  /** A value of a cell, and its position. */
  private record Member(double value, long position) {}

  @Property(tries = 100)
  void what_is_chosen_and_counted_is_that_of_loops(@ForAll long seed) {
    Random random = new Random(seed);
    Shape shape = Shape.of(1 + random.nextInt(20), 1 + random.nextInt(9), 1 + random.nextInt(9));
    long[] chunk = {1 + random.nextInt(9), 1 + random.nextInt(9), 1 + random.nextInt(9)};
    DataType type =
        List.of(DataTypes.INT16, DataTypes.FLOAT32, DataTypes.FLOAT64).get(random.nextInt(3));
    Dataset dataset = dataset(shape, chunk, random(random, type, shape), ZarrOptions.defaults());
    dataset = random.nextBoolean() ? dataset : dataset.isel("a", "::2").isel("c", "[0, 0]");
    Variable part = dataset.variable("x");
    part = random.nextInt(3) > 0 ? part : part.times(1);
    NdArray wide = requireNonNull(await(part.read())).cast(DataTypes.FLOAT64);
    int[] labels = random.ints(wide.shape().extent(0), 0, 4).toArray();
    int[] distinct = Arrays.stream(labels).distinct().sorted().toArray();
    Variable groupOf =
        Variable.of(
            "g", List.of("a"), NdArray.ofInts(DataTypes.INT32, Shape.of(labels.length), labels));
    boolean isGrouped = random.nextInt(3) == 0;
    boolean keeps = random.nextInt(4) == 0;
    List<String> over = new ArrayList<>(List.of("a", "b", "c"));
    over.removeIf(name -> name.equals("a") ? isGrouped : random.nextBoolean());
    if (over.isEmpty() && !isGrouped) {
      over.add("b");
    }
    String[] names = over.toArray(String[]::new);
    Dataset with = dataset.assign(part, groupOf);
    DatasetReduction reduction = isGrouped ? with.groupBy("g").over(names) : with.over(names);
    reduction = keeps ? reduction.keepingMissing() : reduction;

    List<List<Member>> cells = new ArrayList<>();
    long[] extents = wide.shape().toArray();
    long[] kept = extents.clone();
    for (int d = 0; d < 3; d++) {
      kept[d] = over.contains(List.of("a", "b", "c").get(d)) ? 1 : extents[d];
    }
    kept[0] = isGrouped ? distinct.length : kept[0];
    for (int i = 0; i < kept[0] * kept[1] * kept[2]; i++) {
      cells.add(new ArrayList<>());
    }
    wide.forEachIndex(
        index -> {
          int cell = 0;
          long position = 0;
          for (int d = 0; d < 3; d++) {
            boolean isGroup = isGrouped && d == 0;
            boolean isOver = over.contains(List.of("a", "b", "c").get(d));
            int at = (int) index[d];
            int place = isGroup ? Arrays.binarySearch(distinct, labels[at]) : isOver ? 0 : at;
            cell = cell * (int) kept[d] + place;
            position = isOver || isGroup ? position * extents[d] + at : position;
          }
          cells.get(cell).add(new Member(wide.getDouble(index), position));
        });
    double[] first = read(await(reduction.first("x")));
    double[] last = read(await(reduction.last("x")));
    double[] least = read(await(reduction.argMin("x")));
    double[] greatest = read(await(reduction.argMax("x")));
    double[] counts = read(await(reduction.histogram(EDGES, "x")));
    assertThat(first).hasSize(cells.size());
    for (int cell = 0; cell < first.length; cell++) {
      List<Member> all = cells.get(cell);
      List<Member> there = all.stream().filter(m -> !Double.isNaN(m.value())).toList();
      boolean isMissing = there.isEmpty() || (keeps && there.size() < all.size());
      assertThat(first[cell])
          .isEqualTo(isMissing ? Double.valueOf(Double.NaN) : (Double) there.get(0).value());
      assertThat(last[cell])
          .isEqualTo(
              isMissing
                  ? Double.valueOf(Double.NaN)
                  : (Double) there.get(there.size() - 1).value());
      Member min = new Member(Double.POSITIVE_INFINITY, -1);
      Member max = new Member(Double.NEGATIVE_INFINITY, -1);
      for (Member member : there) {
        min = member.value() < min.value() ? member : min;
        max = member.value() > max.value() ? member : max;
      }
      assertThat(least[cell]).isEqualTo(isMissing ? -1 : min.position());
      assertThat(greatest[cell]).isEqualTo(isMissing ? -1 : max.position());
      for (int bin = 0; bin < EDGES.length - 1; bin++) {
        int its = bin;
        assertThat(counts[cell * (EDGES.length - 1) + bin])
            .isEqualTo(
                there.stream()
                    .filter(
                        m ->
                            m.value() >= EDGES[its]
                                && (m.value() < EDGES[its + 1]
                                    || (its == EDGES.length - 2 && m.value() == EDGES[its + 1])))
                    .count());
      }
    }
  }

  private static double[] read(Dataset results) {
    Variable x = requireNonNull(results).variable("x");
    return requireNonNull(await(x.read())).cast(DataTypes.FLOAT64).toDoubleArray();
  }

  private Dataset field(ZarrOptions options) {
    Shape shape = Shape.of(8, 4, 5);
    int[] values = new int[160];
    Arrays.setAll(values, i -> 1 + i);
    return dataset(
        shape, new long[] {2, 4, 5}, NdArray.ofInts(DataTypes.INT32, shape, values), options);
  }

  @Example
  void each_chunk_is_requested_once_and_results_say_what_they_are() {
    Dataset field = field(ZarrOptions.defaults());
    store.counts().reset();
    Dataset last = requireNonNull(await(field.over("a").last()));
    assertThat(
            store.counts().requests().stream()
                .filter(request -> request.target().contains("/c/"))
                .count())
        .isEqualTo(4);
    assertThat(last.variable("x").attributes())
        .isEqualTo(Json.object("{'units': 'm', 'cell_methods': 'a: point'}"));
    assertThat(last.variable("x").dimensions()).containsExactly("b", "c");
    Dataset counts =
        requireNonNull(await(field.over("a", "b").histogram(new double[] {0, 50, 200})));
    assertThat(counts.variable("x").dimensions()).containsExactly("c", "bin");
    assertThat(counts.variable("x").attributes().members()).isEmpty();
    assertThat(counts.coordinates()).containsKeys("bin", "bin_bounds");
    assertThat(counts.variable("bin").attributes())
        .isEqualTo(Json.object("{'bounds': 'bin_bounds', 'units': 'm'}"));
    assertThat(requireNonNull(await(counts.variable("bin").read())).toDoubleArray())
        .containsExactly(25, 125);
    assertThat(requireNonNull(await(counts.variable("bin_bounds").read())).toDoubleArray())
        .containsExactly(0, 50, 50, 200);
    assertThat(requireNonNull(await(counts.variable("x").read())).toLongArray()).startsWith(10, 22);
  }

  @Example
  void the_variance_has_squared_units() {
    Dataset field = field(ZarrOptions.defaults());
    Variable variances =
        requireNonNull(await(field.over("a").statistics(List.of(), Statistic.VARIANCE)))
            .get(Statistic.VARIANCE)
            .variable("x");
    assertThat(variances.attributes())
        .isEqualTo(Json.object("{'units': 'm2', 'cell_methods': 'a: variance'}"));
    assertThat(FormulaAttributes.squared(Json.object("{'units': 'm s-1'}")).get("units"))
        .isEqualTo(new JsonString("(m s-1)2"));
  }

  @Example
  void what_does_not_fit_or_has_no_order_is_refused() {
    Dataset small = field(ZarrOptions.defaults().withMaxInFlightBytes(300));
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> await(small.over("a").first()))
        .withMessageContaining("take 400 bytes, more than the 300 of maxInFlightBytes")
        .withMessageContaining("/x");
    Variable x = small.variable("x");
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> await(x.over("a").weighted(x).argMax()))
        .withMessageContaining("weights are of sums and means, not of positions");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> x.over("a").histogram(1, 1))
        .withMessage("edges ascend: 1.0 follows 1.0");
  }

  private static double[] sums(Dataset dataset, String labels) {
    Dataset sums = requireNonNull(await(dataset.groupBy(labels).over("b", "c").sum("x")));
    assertThat(sums.variable(labels).shape()).isEqualTo(sums.variable("x").shape());
    return requireNonNull(await(sums.variable("x").read())).cast(DataTypes.FLOAT64).toDoubleArray();
  }

  @Example
  void groups_are_of_texts_of_a_length_and_of_times_without_those_that_are_missing() {
    NdArray ones = NdArray.ofInts(DataTypes.INT32, Shape.of(4, 1, 1), 1, 2, 4, 8);
    Dataset field = dataset(Shape.of(4, 1, 1), new long[] {2, 1, 1}, ones, ZarrOptions.defaults());
    NdArray texts =
        NdArray.ofStrings(DataTypes.fixedLengthUtf32(2), Shape.of(4), "b", "a", "b", "c");
    NdArray times =
        NdArray.ofLongs(
            DataTypes.datetime64(NumpyUnit.SECOND, 1), Shape.of(4), 9, TimeType.NAT, 7, 9);
    NdArray ids = NdArray.ofLongs(DataTypes.UINT64, Shape.of(4), -1, 5, -2, 5);
    Dataset with =
        field.assign(
            Variable.of("text", List.of("a"), texts),
            Variable.of("time", List.of("a"), times),
            Variable.of("id", List.of("a"), ids));
    assertThat(sums(with, "text")).containsExactly(2, 5, 8);
    assertThat(sums(with, "time")).containsExactly(4, 9);
    assertThat(sums(with, "id")).containsExactly(10, 4, 1);
  }

  @Example
  void labels_are_a_part_of_a_variable_of_several_dimensions() {
    NdArray values = NdArray.ofInts(DataTypes.INT32, Shape.of(4, 1, 2), 5, 0, 3, 1, 5, 2, 3, 3);
    Dataset field =
        dataset(Shape.of(4, 1, 2), new long[] {4, 1, 2}, values, ZarrOptions.defaults());
    Dataset part = field.isel("b", 0).isel("c", 0).assign(field.variable("x").named("all"));
    Dataset counts = requireNonNull(await(part.groupBy("x").count("all")));
    assertThat(requireNonNull(await(counts.variable("x").read())).toDoubleArray())
        .containsExactly(3, 5);
    assertThat(requireNonNull(await(counts.variable("all").read())).toLongArray())
        .containsExactly(2, 2, 2, 2);
  }

  @Example
  void as_many_groups_as_positions_take_their_time() {
    int count = 300_000;
    int[] labels = IntStream.range(0, count).map(i -> count - i).toArray();
    NdArray array = NdArray.ofInts(DataTypes.INT32, Shape.of(count), labels);
    Variable id = Variable.of("id", List.of("a"), array);
    Groups groups = Groups.labels(id, array);
    assertThat(groups.count()).isEqualTo(count);
    assertThat(groups.numbers()[0]).isEqualTo(count - 1);
  }

  @Example
  void all_dimensions_are_reduced_where_none_is_named() {
    Dataset field = field(ZarrOptions.defaults());
    Dataset all = requireNonNull(await(field.over().sum()));
    assertThat(all.variable("x").dimensions()).isEmpty();
    assertThat(requireNonNull(await(all.variable("x").read())))
        .isEqualTo(await(field.variable("x").over().sum()));
  }
}
