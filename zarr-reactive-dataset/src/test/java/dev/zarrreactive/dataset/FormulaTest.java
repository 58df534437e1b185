package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import reactor.test.StepVerifier;

/** Formulas of variables against loops over all elements, and what is read for them. */
class FormulaTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private final ZarrOptions options =
      ZarrOptions.defaults().withMaxInFlightBytes(1 << 16).withMaxConcurrency(3);
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(store, options);

  private String group = "";
  private int groups;

  private void createGroup() {
    group = "g" + groups++;
    await(hierarchy.createGroup(group));
  }

  private void create(String name, Shape shape, Shape chunk, String dimensions, NdArray values) {
    await(
        hierarchy
            .createArray(
                group + "/" + name,
                ArrayMetadata.v3(shape, values.dataType())
                    .chunkShape(chunk.toArray())
                    .dimensionNames(dimensions.split(" "))
                    .attributes(Json.object("{'units': 'm', 'long_name': '" + name + "'}"))
                    .build())
            .flatMap(array -> array.write(Selection.all(), values)));
  }

  private Dataset dataset() {
    return requireNonNull(await(Dataset.open(hierarchy, group)));
  }

  private static NdArray random(Random random, DataType type, Shape shape) {
    int[] values = random.ints(shape.elementCount().intValueExact(), -50, 50).toArray();
    return NdArray.ofInts(DataTypes.INT32, shape, values).cast(type);
  }

  private static double at(NdArray values, long... index) {
    return values.dataType().equals(DataTypes.INT32)
        ? values.getInt(index)
        : values.getDouble(index);
  }

  private static NdArray loop(
      Shape shape, NdArray ab, NdArray cb, NdArray b, DoubleBinaryOperator first) {
    double[] all = new double[shape.elementCount().intValueExact()];
    int[] next = {0};
    NdArray.scalar(DataTypes.FLOAT64, 0)
        .broadcastTo(shape)
        .forEachIndex(
            i -> {
              double sum = first.applyAsDouble(at(ab, i[0], i[1]), at(cb, i[2], i[1]));
              all[next[0]++] = sum > 0 ? sum * at(b, i[1]) : Double.NaN;
            });
    return NdArray.ofDoubles(shape, all);
  }

  @Property(tries = 60)
  void values_are_those_of_a_loop_over_all_elements(@ForAll long seed) {
    Random random = new Random(seed);
    int a = 1 + random.nextInt(12);
    int b = 1 + random.nextInt(30);
    int c = 1 + random.nextInt(9);
    createGroup();
    NdArray ab = random(random, DataTypes.FLOAT64, Shape.of(a, b));
    NdArray cb = random(random, DataTypes.INT32, Shape.of(c, b));
    NdArray of = random(random, DataTypes.FLOAT64, Shape.of(b));
    create("ab", Shape.of(a, b), Shape.of(1 + random.nextInt(a), 1 + random.nextInt(9)), "a b", ab);
    create("cb", Shape.of(c, b), Shape.of(1 + random.nextInt(c), 1 + random.nextInt(9)), "c b", cb);
    create("b", Shape.of(b), Shape.of(1 + random.nextInt(b)), "b", of);
    Dataset dataset = dataset();
    Variable sum = dataset.variable("ab").minus(dataset.variable("cb").times(2));
    Variable result = sum.where(sum.greaterThan(0)).times(dataset.variable("b"));
    NdArray expected = loop(Shape.of(a, b, c), ab, cb, of, (x, y) -> x - 2 * y);
    assertThat(result.dimensions()).containsExactly("a", "b", "c");
    assertThat(await(result.read())).isEqualTo(expected);
    compareParts(random, result, expected);
    compareStatistics(result, dataset, expected);
  }

  private void compareParts(Random random, Variable result, NdArray expected) {
    Shape shape = expected.shape();
    String box =
        random.nextInt((int) shape.extent(0))
            + ", "
            + random.nextInt((int) shape.extent(1))
            + "::2, ["
            + (shape.extent(2) - 1)
            + ", 0]";
    NdArray part = expected.slice(Selection.parse(box)).toContiguous();
    assertThat(await(result.read(box))).isEqualTo(part);
    ByteBuffer target = ByteBuffer.allocate(part.bytes().size() + 9).position(5);
    ByteBuffer read = requireNonNull(await(result.readInto(Selection.parse(box), target)));
    assertThat(target.position()).isEqualTo(5);
    assertThat(read.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(read).isEqualTo(part.bytes().asByteBuffer());
    Selection points =
        Selection.points(new long[][] {{0, shape.extent(1) - 1, 0}, {shape.extent(0) - 1, 0, 0}});
    assertThat(await(result.read(points))).isEqualTo(expected.slice(points));
    double[] put = new double[shape.elementCount().intValueExact()];
    Arrays.fill(put, -1e9);
    for (Chunk chunk : requireNonNull(await(result.chunks().collectList()))) {
      ResolvedSelection place = chunk.selection();
      long[] first = {0};
      NdArray numbers =
          NdArray.ofLongs(
                  DataTypes.INT64,
                  shape,
                  java.util.stream.LongStream.range(0, put.length).toArray())
              .slice(any -> place);
      numbers.forEachIndex(
          index -> {
            put[(int) numbers.getLong(index)] = chunk.data().getDouble(index);
            first[0]++;
          });
    }
    assertThat(NdArray.ofDoubles(shape, put)).isEqualTo(expected);
  }

  /** Statistics and blocks of a formula are those of the same values that are stored. */
  private void compareStatistics(Variable result, Dataset dataset, NdArray expected) {
    Dataset stored =
        requireNonNull(
            await(
                Dataset.builder()
                    .variable(result.named("r"))
                    .write(hierarchy, group + "/written")));
    assertThat(await(stored.variable("r").read())).isEqualTo(expected);
    Variable same = stored.variable("r");
    for (Statistic statistic : Statistic.values()) {
      NdArray theirs =
          requireNonNull(await(same.over("a", "c").statistics(statistic))).get(statistic);
      assertThat(requireNonNull(await(result.over("a", "c").statistics(statistic))).get(statistic))
          .as(statistic.toString())
          .usingComparator((x, y) -> isClose(x, y) ? 0 : 1)
          .isEqualTo(theirs);
    }
    assertThat(await(result.histogram(0, 10, 500))).isEqualTo(await(same.histogram(0, 10, 500)));
    long elements =
        requireNonNull(
                await(
                    dataset
                        .assign(result.named("r"))
                        .blocks("r", "ab")
                        .map(block -> block.values().get("r").shape().elementCount().longValue())
                        .reduce(Long::sum)))
            .longValue();
    assertThat(elements).isEqualTo(expected.shape().elementCount().longValue());
  }

  private static boolean isClose(NdArray some, NdArray others) {
    double[] x = some.cast(DataTypes.FLOAT64).toDoubleArray();
    double[] y = others.cast(DataTypes.FLOAT64).toDoubleArray();
    boolean isClose = x.length == y.length;
    for (int i = 0; isClose && i < x.length; i++) {
      isClose =
          Double.isNaN(x[i]) && Double.isNaN(y[i])
              || Math.abs(x[i] - y[i]) <= 1e-9 * Math.max(1, Math.abs(y[i]));
    }
    return isClose;
  }

  private Dataset field(int rows, int chunk) {
    createGroup();
    Shape shape = Shape.of(rows, 100);
    double[] values = new double[rows * 100];
    Arrays.setAll(values, i -> i);
    create("f", shape, Shape.of(chunk, 50), "t x", NdArray.ofDoubles(shape, values));
    double[] weights = new double[100];
    Arrays.fill(weights, 2);
    create("w", Shape.of(100), Shape.of(10), "x", NdArray.ofDoubles(Shape.of(100), weights));
    return dataset();
  }

  private long chunksAsked() {
    return store.counts().requests().stream()
        .filter(request -> request.target().contains("/c/"))
        .count();
  }

  @Example
  void nothing_is_read_before_a_subscription_and_then_each_chunk_once() {
    Dataset dataset = field(40, 4);
    store.counts().reset();
    Variable f = dataset.variable("f");
    Variable result = f.times(f).plus(f.times(dataset.variable("w"))).minus(f);
    assertThat(result.shape()).isEqualTo(Shape.of(40, 100));
    assertThat(store.counts().total()).isZero();
    NdArray values = requireNonNull(await(result.read()));
    assertThat(values.getDouble(1, 1)).isEqualTo(101 * 101 + 101 * 2 - 101);
    assertThat(chunksAsked()).isEqualTo(20 + 10);
  }

  @Example
  void a_cancel_ends_the_requests_of_all_sources() {
    Dataset dataset = field(40, 4);
    Variable sum = dataset.variable("f").plus(dataset.variable("w"));
    HeldRequests held = store.hold(request -> request.target().contains("/c/"));
    StepVerifier.create(sum.over().mean())
        .then(() -> Waiting.eventually("chunks are asked for", () -> held.waiting() > 0))
        .thenCancel()
        .verify(Waiting.PATIENCE);
    Waiting.eventually("the requests are cancelled", () -> held.waiting() == 0);
    Waiting.eventually("no bytes in flight", () -> hierarchy.bytesInFlight() == 0);
    store.behave();
  }

  @Example
  void the_demand_bounds_what_is_read() {
    Dataset dataset = field(400, 4);
    store.counts().reset();
    StepVerifier.create(dataset.variable("f").plus(1).chunks(), 1)
        .expectNextCount(1)
        .then(() -> assertThat(chunksAsked()).isLessThan(60))
        .thenCancel()
        .verify(Waiting.PATIENCE);
  }

  @Example
  void a_failed_source_fails_the_read() {
    Dataset dataset = field(40, 4);
    store.fail(
        request -> request.target().contains("f/c/5"),
        () -> new IllegalStateException("no answer"));
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> await(dataset.variable("f").plus(1).read()))
        .withMessageContaining("no answer");
    store.behave();
  }

  @Example
  void attributes_are_kept_where_they_do_not_contradict_each_other() {
    Dataset dataset = field(4, 4);
    Variable f = dataset.variable("f");
    Variable w = dataset.variable("w");
    assertThat(f.times(2).attributes()).isEqualTo(f.attributes());
    assertThat(f.plus(w).attributes()).isEqualTo(Json.object("{'units': 'm'}"));
    assertThat(f.lessThan(3).attributes().members()).isEmpty();
    assertThat(
            f.map(Math::sqrt)
                .withAttributes(Json.object("{'units': '1'}"))
                .attributes()
                .get("units"))
        .isEqualTo(new JsonString("1"));
    assertThat(f.plus(w).toString()).isEqualTo("f (t, x) float64");
    assertThat(f.plus(w).named("sum").name()).isEqualTo("sum");
  }

  @Example
  void values_in_memory_are_variables() {
    Dataset dataset = field(4, 4);
    NdArray factors = NdArray.ofDoubles(Shape.of(4), 1, 2, 3, 4);
    Variable factor = Variable.of("factor", List.of("t"), factors);
    Variable product = dataset.variable("f").times(factor).isel("x", 1);
    assertThat(requireNonNull(await(product.read())).toDoubleArray())
        .containsExactly(1, 202, 603, 1204);
    assertThat(requireNonNull(await(factor.isel("t", "1:3").over().sum())).getDouble())
        .isEqualTo(5);
    assertThat(await(factor.chunks(Selection.parse("::2")).map(Chunk::data).single()))
        .isEqualTo(NdArray.ofDoubles(Shape.of(2), 1, 3));
    assertThat(await(factor.plus(1).isel("t", 0).read()))
        .isEqualTo(NdArray.ofDoubles(Shape.SCALAR, 2));
    Dataset with = dataset.assign(Variable.of("t", List.of("t"), factors));
    assertThat(with.coordinates()).containsKey("t");
    assertThat(requireNonNull(await(with.sel("t", 3.0).read("f"))).getDouble(0)).isEqualTo(200);
  }

  @Example
  void what_is_no_formula_is_refused() {
    Dataset dataset = field(4, 4);
    Variable f = dataset.variable("f");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> f.plus(f.isel("t", "1:")))
        .withMessage(
            "f: the dimension t has the extent 4 in one variable, and 3 in another; select the"
                + " same part of both");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> f.where(f))
        .withMessage("f: a condition is of booleans, not of float64; compare the numbers");
    Variable bytes =
        Variable.of("b", List.of("x"), NdArray.ofBytes(DataTypes.UINT8, Shape.of(1), (byte) 7));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bytes.plus(256))
        .withMessage("b: 256 is beyond uint8; a float, as 256.0, makes float64");
    assertThat(await(bytes.lessThan(256).read())).isEqualTo(NdArray.ofBooleans(Shape.of(1), true));
    Variable texts =
        Variable.of("s", List.of("x"), NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "a"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> texts.plus(1))
        .withMessage("s: formulas are of numbers, not of string");
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> f.plus(1).array())
        .withMessageContaining("f is calculated, and has no stored array");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> dataset.assign(Variable.of("o", List.of("t"), NdArray.ofDoubles(Shape.of(1), 1))))
        .withMessageContaining("the dimension t has the extent 1 in o, but 4 in another variable");
  }
}
