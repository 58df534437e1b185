package dev.zarrreactive.ome;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random transformations, in each other, against matrices that are multiplied plainly, and changed
 * documents.
 */
class OmeTransformationsTest {
  /** A transformation in JSON, and the matrix of homogeneous coordinates that it means. */
  private record Case(JsonObject json, double[][] matrix, boolean isInvertible) {}

  private static JsonValue number(double value) {
    return new JsonNumber(Double.toString(value));
  }

  private static JsonArray numbers(double... values) {
    List<JsonValue> list = new ArrayList<>();
    for (double value : values) {
      list.add(number(value));
    }
    return new JsonArray(list);
  }

  private static JsonArray indices(List<Integer> axes) {
    return JsonArray.ofIntegers(axes.stream().mapToLong(axis -> axis).toArray());
  }

  private static JsonObject typed(String type) {
    return JsonObject.EMPTY.with("type", type);
  }

  private static double[][] identity(int rank) {
    double[][] matrix = new double[rank + 1][rank + 1];
    for (int d = 0; d <= rank; d++) {
      matrix[d][d] = 1;
    }
    return matrix;
  }

  private static double[][] product(double[][] left, double[][] right) {
    double[][] result = new double[left.length][right[0].length];
    for (int r = 0; r < left.length; r++) {
      for (int c = 0; c < right[0].length; c++) {
        for (int i = 0; i < right.length; i++) {
          result[r][c] += left[r][i] * right[i][c];
        }
      }
    }
    return result;
  }

  private static double some(Random random) {
    return Math.round(random.nextDouble() * 400 - 200) / 16.0;
  }

  /** Returns a transformation of {@code from} to {@code to} axes. */
  private static Case some(Random random, int from, int to, int depth) {
    int kind = random.nextInt(depth > 0 ? 9 : 6);
    if (from != to && kind != 3 && kind != 6 && kind != 7) {
      kind = from < to && random.nextBoolean() ? 5 : 3;
    }
    return switch (kind) {
      case 0 -> new Case(typed("identity"), identity(from), true);
      case 1 -> scale(random, from);
      case 2 -> translation(random, from);
      case 3 -> affine(random, from, to);
      case 4 -> mapAxis(random, from);
      case 5 -> from < to ? created(random, from, to) : rotation(random, from);
      case 6 -> sequence(random, from, to, depth);
      case 7 -> byDimension(random, from, to, depth);
      default -> bijection(random, from, depth);
    };
  }

  private static Case scale(Random random, int rank) {
    double[][] matrix = identity(rank);
    double[] scale = new double[rank];
    for (int d = 0; d < rank; d++) {
      scale[d] = random.nextInt(1, 50) / 8.0;
      matrix[d][d] = scale[d];
    }
    return new Case(typed("scale").with("scale", numbers(scale)), matrix, true);
  }

  private static Case translation(Random random, int rank) {
    double[][] matrix = identity(rank);
    double[] offset = new double[rank];
    for (int d = 0; d < rank; d++) {
      offset[d] = some(random);
      matrix[d][rank] = offset[d];
    }
    return new Case(typed("translation").with("translation", numbers(offset)), matrix, true);
  }

  private static Case affine(Random random, int from, int to) {
    double[][] matrix = new double[to + 1][from + 1];
    List<JsonValue> rows = new ArrayList<>();
    for (int r = 0; r < to; r++) {
      for (int c = 0; c <= from; c++) {
        matrix[r][c] = some(random) + (r == c ? 64 : 0); // far from singular
      }
      rows.add(numbers(matrix[r]));
    }
    matrix[to][from] = 1;
    return new Case(typed("affine").with("affine", new JsonArray(rows)), matrix, from == to);
  }

  private static Case rotation(Random random, int rank) {
    double[][] matrix = identity(rank);
    if (rank > 1) {
      double angle = random.nextDouble() * 6;
      int one = random.nextInt(rank);
      int other = (one + 1 + random.nextInt(rank - 1)) % rank;
      matrix[one][one] = Math.cos(angle);
      matrix[other][other] = Math.cos(angle);
      matrix[one][other] = -Math.sin(angle);
      matrix[other][one] = Math.sin(angle);
    }
    List<JsonValue> rows = new ArrayList<>();
    for (int r = 0; r < rank; r++) {
      rows.add(numbers(Arrays.copyOf(matrix[r], rank)));
    }
    return new Case(typed("rotation").with("rotation", new JsonArray(rows)), matrix, true);
  }

  private static List<Integer> shuffled(Random random, int rank) {
    List<Integer> axes = new ArrayList<>();
    for (int d = 0; d < rank; d++) {
      axes.add(d);
    }
    Collections.shuffle(axes, random);
    return axes;
  }

  private static Case mapAxis(Random random, int rank) {
    List<Integer> axes = shuffled(random, rank);
    double[][] matrix = new double[rank + 1][rank + 1];
    for (int o = 0; o < rank; o++) {
      matrix[o][axes.get(o)] = 1;
    }
    matrix[rank][rank] = 1;
    return new Case(typed("mapAxis").with("mapAxis", indices(axes)), matrix, true);
  }

  private static Case created(Random random, int from, int to) {
    List<Integer> created = shuffled(random, to).subList(0, to - from);
    double[][] matrix = new double[to + 1][from + 1];
    int next = 0;
    for (int o = 0; o < to; o++) {
      if (!created.contains(o)) {
        matrix[o][next++] = 1;
      }
    }
    matrix[to][from] = 1;
    return new Case(typed("projectAxis").with("createdOutputs", indices(created)), matrix, true);
  }

  private static Case sequence(Random random, int from, int to, int depth) {
    List<JsonValue> steps = new ArrayList<>();
    double[][] matrix = identity(from);
    boolean isInvertible = true;
    int at = from;
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      int next = i == count - 1 ? to : 1 + random.nextInt(5);
      Case step = some(random, at, next, depth - 1);
      steps.add(step.json);
      matrix = product(step.matrix, matrix);
      isInvertible &= step.isInvertible;
      at = next;
    }
    return new Case(
        typed("sequence").with("transformations", new JsonArray(steps)), matrix, isInvertible);
  }

  private static Case byDimension(Random random, int from, int to, int depth) {
    List<Integer> outputs = shuffled(random, to);
    List<Integer> inputs = shuffled(random, from);
    double[][] matrix = new double[to + 1][from + 1];
    matrix[to][from] = 1;
    List<JsonValue> parts = new ArrayList<>();
    boolean isInvertible = from == to;
    int done = 0;
    while (done < to) {
      int count = 1 + random.nextInt(to - done);
      List<Integer> gives = outputs.subList(done, done + count);
      List<Integer> takes =
          from == to
              ? inputs.subList(done, done + count)
              : shuffled(random, from).subList(0, 1 + random.nextInt(from));
      Case part = some(random, takes.size(), count, depth - 1);
      isInvertible &= part.isInvertible;
      for (int o = 0; o < count; o++) {
        for (int i = 0; i < takes.size(); i++) {
          matrix[gives.get(o)][takes.get(i)] = part.matrix[o][i];
        }
        matrix[gives.get(o)][from] = part.matrix[o][takes.size()];
      }
      parts.add(
          JsonObject.EMPTY
              .with("transformation", part.json)
              .with("inputAxes", indices(takes))
              .with("outputAxes", indices(gives)));
      done += count;
    }
    return new Case(
        typed("byDimension").with("transformations", new JsonArray(parts)), matrix, isInvertible);
  }

  private static Case bijection(Random random, int rank, int depth) {
    Case forward = some(random, rank, rank, depth - 1);
    return new Case(
        typed("bijection").with("forward", forward.json).with("inverse", typed("identity")),
        forward.matrix,
        false); // its inverse is another function
  }

  private static double[] applied(double[][] matrix, double[] point) {
    double[][] column = new double[point.length + 1][1];
    for (int d = 0; d < point.length; d++) {
      column[d][0] = point[d];
    }
    column[point.length][0] = 1;
    double[][] result = product(matrix, column);
    double[] carried = new double[result.length - 1];
    for (int d = 0; d < carried.length; d++) {
      carried[d] = result[d][0];
    }
    return carried;
  }

  private static double magnitude(double[][] matrix) {
    double most = 1;
    for (double[] row : matrix) {
      for (double number : row) {
        most = Math.max(most, Math.abs(number));
      }
    }
    return most;
  }

  @Property(tries = 600)
  void a_point_is_carried_as_by_the_matrix(@ForAll long seed) {
    Random random = new Random(seed);
    int from = 1 + random.nextInt(5);
    int to = 1 + random.nextInt(5);
    Case made = some(random, from, to, 3);
    List<OmeProblem> problems = new ArrayList<>();
    OmeStep step =
        requireNonNull(
            TransformReader.read(new OmeJson(made.json, "", problems), from, to),
            made.json::toString);
    assertThat(problems).isEmpty();
    assertThat(step.inputs() == OmeStep.ANY ? from : step.inputs()).isEqualTo(from);
    double[] point = new double[from];
    for (int d = 0; d < from; d++) {
      point[d] = some(random);
    }
    double tolerance = 1e-9 * magnitude(made.matrix);
    double[] expected = applied(made.matrix, point);
    double[] carried = requireNonNull(await(step.point(point)));
    assertThat(carried).containsExactly(expected, within(tolerance * 100));
    OmeBox box = requireNonNull(await(step.box(OmeBox.of(point, point))));
    for (int d = 0; d < to; d++) {
      assertThat(box.from().get(d)).isCloseTo(expected[d], within(tolerance * 100));
    }
    double[][] rows = step.matrix();
    if (rows != null) {
      for (int r = 0; r < to; r++) {
        assertThat(rows[r]).containsExactly(made.matrix[r], within(tolerance));
      }
    }
  }

  @Property(tries = 600)
  void the_inverse_leads_back(@ForAll long seed) {
    Random random = new Random(seed);
    int rank = 1 + random.nextInt(5);
    Case made = some(random, rank, rank, 2);
    OmeStep step =
        requireNonNull(
            TransformReader.read(new OmeJson(made.json, "", new ArrayList<>()), rank, rank));
    OmeStep inverse = made.isInvertible ? step.inverse() : null;
    if (inverse == null) {
      return;
    }
    assertThat(step.isInvertible()).isTrue();
    double[] point = new double[rank];
    for (int d = 0; d < rank; d++) {
      point[d] = some(random);
    }
    double[] there = requireNonNull(await(step.point(point)));
    double[] back = requireNonNull(await(inverse.point(there)));
    double[] again = requireNonNull(await(step.point(back)));
    double most = magnitude(made.matrix) + magnitude(new double[][] {there});
    assertThat(again).containsExactly(there, within(1e-6 * most));
  }

  @Property(tries = 400)
  void a_box_has_the_images_of_its_points(@ForAll long seed) {
    Random random = new Random(seed);
    int from = 1 + random.nextInt(5);
    int to = 1 + random.nextInt(5);
    Case made = some(random, from, to, 2);
    OmeStep step =
        requireNonNull(
            TransformReader.read(new OmeJson(made.json, "", new ArrayList<>()), from, to));
    double[] low = new double[from];
    double[] high = new double[from];
    double[] inside = new double[from];
    for (int d = 0; d < from; d++) {
      low[d] = some(random);
      high[d] = low[d] + random.nextInt(20);
      inside[d] = low[d] + random.nextDouble() * (high[d] - low[d]);
    }
    OmeBox box = requireNonNull(await(step.box(OmeBox.of(low, high))));
    double[] carried = requireNonNull(await(step.point(inside)));
    double tolerance = 1e-7 * magnitude(made.matrix);
    for (int d = 0; d < to; d++) {
      assertThat(carried[d]).isBetween(box.from().get(d) - tolerance, box.to().get(d) + tolerance);
    }
  }

  /** Returns the value with one of its parts changed, removed or doubled. */
  private static JsonValue changed(JsonValue value, Random random) {
    if (value instanceof JsonObject object
        && !object.members().isEmpty()
        && random.nextInt(6) > 0) {
      Map<String, JsonValue> members = new LinkedHashMap<>(object.members());
      List<String> names = List.copyOf(members.keySet());
      String name = names.get(random.nextInt(names.size()));
      if (random.nextInt(8) == 0) {
        members.remove(name);
      } else {
        members.put(name, changed(requireNonNull(members.get(name)), random));
      }
      return new JsonObject(members);
    }
    if (value instanceof JsonArray list && !list.elements().isEmpty() && random.nextInt(6) > 0) {
      List<JsonValue> elements = new ArrayList<>(list.elements());
      int i = random.nextInt(elements.size());
      switch (random.nextInt(6)) {
        case 0 -> elements.remove(i);
        case 1 -> elements.add(elements.get(i));
        default -> elements.set(i, changed(elements.get(i), random));
      }
      return new JsonArray(elements);
    }
    return switch (random.nextInt(8)) {
      case 0 -> new JsonString("");
      case 1 -> new JsonString("../x");
      case 2 -> number(-1);
      case 3 -> number(1e300);
      case 4 -> JsonArray.of();
      case 5 -> JsonObject.EMPTY;
      case 6 -> JsonArray.ofIntegers(0, 0, 9);
      default -> JsonNull.NULL;
    };
  }

  @Property(tries = 1_000)
  void a_changed_document_is_read_or_refused_at_its_place(@ForAll long seed) {
    Random random = new Random(seed);
    Case made = some(random, 2, 2, 2);
    JsonObject axes = typed("space").with("name", "y");
    JsonArray plane = JsonArray.of(axes, axes.with("name", "x"));
    JsonObject one = JsonObject.EMPTY.with("name", "one").with("axes", plane);
    JsonObject multiscale =
        JsonObject.EMPTY
            .with("coordinateSystems", JsonArray.of(one, one.with("name", "two")))
            .with(
                "datasets",
                JsonArray.of(
                    JsonObject.EMPTY
                        .with("path", "s0")
                        .with(
                            "coordinateTransformations",
                            JsonArray.of(
                                typed("scale")
                                    .with("scale", numbers(2, 2))
                                    .with("input", JsonObject.EMPTY.with("path", "s0"))
                                    .with("output", JsonObject.EMPTY.with("name", "one"))))))
            .with(
                "coordinateTransformations",
                JsonArray.of(
                    made.json
                        .with("input", JsonObject.EMPTY.with("name", "one"))
                        .with("output", JsonObject.EMPTY.with("name", "two"))));
    JsonObject ome =
        JsonObject.EMPTY
            .with("version", "0.6")
            .with("multiscales", JsonArray.of(multiscale))
            .with(
                "scene",
                JsonObject.EMPTY
                    .with("coordinateSystems", JsonArray.of(one.with("name", "three")))
                    .with(
                        "coordinateTransformations",
                        JsonArray.of(
                            made.json
                                .with("input", JsonObject.EMPTY.with("name", "two"))
                                .with("output", JsonObject.EMPTY.with("name", "three")))));
    JsonValue document = ome;
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      document = changed(document, random);
    }
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    await(hierarchy.createGroup("", GroupMetadata.of(3, JsonObject.EMPTY.with("ome", document))));
    ZarrGroup group = requireNonNull(await(hierarchy.openGroup("")));
    assertThat(OmeMetadata.of(group).problems())
        .allSatisfy(problem -> assertThat(problem.pointer()).startsWith("/attributes"));
    try {
      OmeCoordinates all = requireNonNull(await(OmeCoordinates.of(group)));
      for (OmeSystem from : all.systems()) {
        for (OmeSystem to : all.systems()) {
          try {
            OmeMapping mapping = requireNonNull(await(all.mapping(from, to)));
            await(mapping.point(new double[from.axes().size()]));
            await(mapping.box(OmeBox.all(from.axes().size())));
          } catch (NoSuchElementException | IllegalArgumentException e) {
            assertThat(e).hasMessageNotContaining("null");
          } catch (ZarrException e) {
            assertThat(e.location().nodePath()).isNotNull();
          }
        }
      }
    } catch (ZarrException e) {
      assertThat(e.location().nodePath()).isNotNull();
    }
  }
}
