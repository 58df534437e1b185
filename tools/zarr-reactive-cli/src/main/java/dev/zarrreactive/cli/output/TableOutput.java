package dev.zarrreactive.cli.output;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Out;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.DimensionNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Variables of a dataset with the same dimensions as a table: a row for each element, in C order,
 * with the labels of the dimensions and the values of the variables.
 *
 * @param labels a column for each dimension of the stored array, also for those of single indices
 * @param isCsv true for CSV, false for a JSON object a line
 */
record TableOutput(List<Label> labels, List<Variable> variables, boolean isCsv) {
  /** The most elements of one variable that are read at a time. */
  private static final long MOST_ELEMENTS = 1 << 20;

  private static final String END_OF_LINE = "\r\n";
  private static final Set<String> MISSING = Set.of("NaN", "NaT");
  private static final int ROWS_OF_A_PIECE = 1 << 12;

  /**
   * The column of a dimension.
   *
   * @param axis the dimension of the variables; negative for one that a single index has dropped
   * @param coordinate the coordinate of the dimension; null for one without
   * @param indices the stored indices, where there is no coordinate
   */
  record Label(String name, int axis, @Nullable Variable coordinate, List<Long> indices) {}

  /** The texts of a column that does not depend on the block. */
  private record Column(int axis, List<String> texts) {}

  /** Part of the rows: the origin and the shape of a box of the variables. */
  record Box(long[] origin, long[] extents) {
    Selection selection() {
      return Selection.box(origin, extents);
    }
  }

  /**
   * Returns the table of variables.
   *
   * @param whole the dataset of all elements
   * @param part the part that is selected
   * @param names the variables; empty for all that are no coordinates
   * @param chosen decides between values and stored elements
   * @throws CommandFailure for variables with different dimensions, and for none
   */
  static TableOutput of(
      Dataset whole,
      Dataset part,
      List<String> names,
      UnaryOperator<Variable> chosen,
      boolean isCsv) {
    List<Variable> variables =
        names.isEmpty()
            ? List.copyOf(part.dataVariables().values())
            : names.stream().map(part::variable).toList();
    if (variables.isEmpty()) {
      throw new CommandFailure(
          "the group has no variables besides coordinates; name one of its arrays");
    }
    Map<String, List<String>> sets = new TreeMap<>();
    variables.forEach(
        each ->
            sets.computeIfAbsent(String.join(", ", each.dimensions()), any -> new ArrayList<>())
                .add(each.name()));
    if (sets.size() > 1) {
      List<String> sentences = new ArrayList<>();
      sets.forEach(
          (dimensions, its) -> sentences.add(String.join(",", its) + " (" + dimensions + ")"));
      throw new CommandFailure(
          "a table has variables of the same dimensions: --variables "
              + String.join(" or --variables ", sentences));
    }
    Variable first = variables.get(0);
    List<Label> labels = new ArrayList<>();
    for (String dimension : whole.variable(first.name()).dimensions()) {
      labels.add(label(dimension, labels.size(), first, part));
    }
    labels.removeIf(label -> names(variables).contains(label.name())); // a coordinate has itself
    return new TableOutput(labels, variables.stream().map(chosen).toList(), isCsv);
  }

  /**
   * Returns the table of an array alone, whose labels are the indices of its dimensions.
   *
   * @param part the part that is selected
   */
  static TableOutput of(Variable whole, Variable part, boolean isCsv) {
    List<Label> labels = new ArrayList<>();
    for (String dimension : whole.dimensions()) {
      int axis = part.dimensions().indexOf(dimension);
      String name = DimensionNames.of(whole.array().metadata()).names().get(labels.size());
      labels.add(
          new Label(
              name == null ? "d" + labels.size() : name, axis, null, indices(part, labels.size())));
    }
    return new TableOutput(labels, List.of(part), isCsv);
  }

  private static List<String> names(List<Variable> variables) {
    return variables.stream().map(Variable::name).toList();
  }

  /** Returns what to tell a user who may expect stored elements. */
  Optional<String> remark(boolean isAsked) {
    boolean isDecoded = variables.stream().anyMatch(each -> !each.decoding().isIdentity());
    return isDecoded && !isAsked
        ? Optional.of("decoded by CF attributes; --raw shows stored elements with their indices")
        : Optional.empty();
  }

  private static Label label(String dimension, int stored, Variable first, Dataset part) {
    int axis = first.dimensions().indexOf(dimension);
    Variable coordinate = part.variables().get(dimension);
    boolean isLabel =
        coordinate != null
            && coordinate.decoding().isReadable()
            && (axis < 0
                ? coordinate.dimensions().isEmpty()
                : coordinate.dimensions().equals(List.of(dimension)));
    return new Label(
        dimension, axis, isLabel ? coordinate : null, isLabel ? List.of() : indices(first, stored));
  }

  /** Returns the indices of a dimension of the stored array that are in a part of it. */
  private static List<Long> indices(Variable part, int stored) {
    ResolvedSelection.Orthogonal box =
        (ResolvedSelection.Orthogonal)
            part.storedSelection(Selection.all()).resolve(part.array().shape());
    if (box.axes().get(stored) instanceof Axis.Range range) {
      return LongStream.iterate(range.start(), i -> i + range.step())
          .limit(range.count())
          .boxed()
          .toList();
    }
    return LongStream.of(((Axis.Indices) box.axes().get(stored)).toArray()).boxed().toList();
  }

  /** Writes the rows on {@code writer}, and tells the bytes of each piece. */
  Mono<Void> writeTo(Out out, Scheduler writer, LongConsumer onPiece) {
    return Concurrently.mapInOrder(Flux.fromIterable(labels), 4, this::column)
        .collectList()
        .flatMap(
            columns ->
                Flux.fromIterable(List.of(header()))
                    .filter(line -> !line.isEmpty())
                    .publishOn(writer)
                    .doOnNext(line -> write(out, line, onPiece))
                    .then(
                        Flux.fromStream(() -> boxes(variables.get(0).shape(), MOST_ELEMENTS))
                            .concatMap(box -> read(box), 0)
                            .publishOn(writer, 1)
                            .doOnNext(block -> rows(block, columns, out, onPiece))
                            .then()));
  }

  /** The values of the variables in a box. */
  private record Block(Box box, List<NdArray> values) {}

  private Mono<Block> read(Box box) {
    return Concurrently.mapInOrder(
            Flux.fromIterable(variables),
            variables.size(),
            variable -> read(variable, box.selection()))
        .collectList()
        .map(values -> new Block(box, values));
  }

  private static Mono<NdArray> read(Variable variable, Selection selection) {
    return variable.read(selection).map(variable.decoding()::withDatesAsText);
  }

  private Mono<Column> column(Label label) {
    Variable coordinate = label.coordinate();
    if (coordinate == null) {
      return Mono.just(
          new Column(label.axis(), label.indices().stream().map(String::valueOf).toList()));
    }
    return read(coordinate, Selection.all())
        .map(
            values -> {
              List<String> texts = new ArrayList<>();
              for (int i = 0; i < values.shape().elementCountUpTo(Integer.MAX_VALUE); i++) {
                texts.add(cell(values, i));
              }
              return new Column(label.axis(), texts);
            });
  }

  private String header() {
    if (!isCsv) {
      return "";
    }
    List<String> names = new ArrayList<>(labels.stream().map(Label::name).toList());
    variables.forEach(variable -> names.add(name(variable)));
    return String.join(",", names.stream().map(TableOutput::field).toList()) + END_OF_LINE;
  }

  private static String name(Variable variable) {
    return variable.name().isEmpty() ? "value" : variable.name();
  }

  /**
   * Returns the boxes in C order: of the first dimensions one index each, of the next one as many
   * as fit, and all of the others.
   */
  static Stream<Box> boxes(Shape shape, long mostElements) {
    if (shape.isEmpty()) {
      return Stream.empty();
    }
    int rank = shape.rank();
    long behind = 1;
    int axis = rank;
    while (axis > 0 && shape.extent(axis - 1) <= mostElements / behind) {
      axis--;
      behind *= shape.extent(axis);
    }
    // the dimension axis - 1 is divided; those before it have one index in each box
    int divided = axis - 1;
    long slab = divided < 0 ? 1 : Math.max(1, mostElements / behind);
    return Stream.iterate(
            new long[rank], Objects::nonNull, origin -> next(origin, divided, slab, shape))
        .map(
            origin -> {
              long[] extents = new long[rank];
              Arrays.setAll(
                  extents,
                  d ->
                      d < divided
                          ? 1
                          : d == divided
                              ? Math.min(slab, shape.extent(d) - origin[d])
                              : shape.extent(d));
              return new Box(origin, extents);
            });
  }

  private static long @Nullable [] next(long[] origin, int divided, long slab, Shape shape) {
    long[] next = origin.clone();
    for (int d = divided; d >= 0; d--) {
      next[d] += d == divided ? slab : 1;
      if (next[d] < shape.extent(d)) {
        return next;
      }
      next[d] = 0;
    }
    return null;
  }

  private void rows(Block block, List<Column> columns, Out out, LongConsumer onPiece) {
    Box box = block.box();
    long[] index = box.origin().clone();
    long rows = Shape.of(box.extents()).elementCountUpTo(Integer.MAX_VALUE);
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < rows; row++) {
      append(text, columns, index, block.values(), row);
      for (int d = index.length - 1; d >= 0; d--) {
        if (++index[d] < box.origin()[d] + box.extents()[d]) {
          break;
        }
        index[d] = box.origin()[d];
      }
      if ((row + 1) % ROWS_OF_A_PIECE == 0) {
        write(out, text.toString(), onPiece);
        text.setLength(0);
      }
    }
    write(out, text.toString(), onPiece);
  }

  private void append(
      StringBuilder text, List<Column> columns, long[] index, List<NdArray> values, int row) {
    String comma = isCsv ? "" : "{";
    for (int c = 0; c < columns.size(); c++) {
      Column column = columns.get(c);
      String label = column.texts().get(column.axis() < 0 ? 0 : (int) index[column.axis()]);
      append(text.append(comma), labels.get(c).name(), label);
      comma = ",";
    }
    for (int v = 0; v < values.size(); v++) {
      append(text.append(comma), name(variables.get(v)), cell(values.get(v), row));
      comma = ",";
    }
    text.append(isCsv ? END_OF_LINE : "}\n");
  }

  private void append(StringBuilder text, String name, String cell) {
    if (!isCsv) {
      text.append(new JsonString(name)).append(':');
    }
    text.append(cell);
  }

  /** Returns an element as a field of CSV, or as JSON. */
  private String cell(NdArray values, int element) {
    JsonValue value = values.toJson(element);
    if (values.dataType() instanceof TimeType time && value instanceof JsonNumber count) {
      value = new JsonString(time.toText(count.toBigInteger().longValue()));
    }
    if (!isCsv && value instanceof JsonString text && MISSING.contains(text.value())) {
      return "null";
    }
    if (value instanceof JsonNumber number && number.isFinite()) {
      return number.text();
    } else if (!isCsv) {
      return value.toString();
    }
    return field(value instanceof JsonString text ? text.value() : value.toString());
  }

  /** Returns a field in quotes where RFC 4180 needs them, and for an empty text. */
  private static String field(String text) {
    boolean isPlain = !text.isEmpty() && text.chars().noneMatch(c -> ",\"\r\n".indexOf(c) >= 0);
    return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  private static void write(Out out, String text, LongConsumer onPiece) {
    if (!text.isEmpty()) {
      out.print(text);
      onPiece.accept(text.length());
    }
  }
}
