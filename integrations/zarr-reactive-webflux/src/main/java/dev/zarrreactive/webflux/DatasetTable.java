package dev.zarrreactive.webflux;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.DatasetBlock;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A part of a dataset as the result of a controller: a row for each cell, with a column for each
 * dimension and for each variable. {@link ServedDataset#table} makes it.
 *
 * <p>The client's {@code Accept} or the {@code produces} of the mapping chooses {@code text/csv},
 * the default, {@code application/x-ndjson}, an object on each line, or {@code application/json}, a
 * list of objects. A dimension has the label of its coordinate, dates as ISO 8601, or its index
 * where it has none. Values are decoded; NaN and missing ones are empty in CSV and null in JSON.
 *
 * <p>Immutable and thread-safe. Rows come in the order of aligned blocks, not of the whole table;
 * see {@link DatasetBlock}. They are read and made as they are demanded.
 */
public final class DatasetTable {
  private static final int PIECE = 16 << 10;
  private static final JsonValue NULL = JsonValue.parse("null");

  private final Dataset part;
  private final List<String> variables;
  private final List<String> dimensions;

  DatasetTable(Dataset part, List<String> variables) {
    this.part = part;
    this.variables = variables;
    this.dimensions =
        variables.stream()
            .flatMap(name -> part.variable(name).dimensions().stream())
            .distinct()
            .toList();
  }

  /** The names of the columns: dimensions, and variables after them. */
  public List<String> columns() {
    List<String> names = new ArrayList<>(dimensions);
    names.addAll(variables);
    return List.copyOf(names);
  }

  /** The number of rows; {@link Long#MAX_VALUE} for more. */
  public long rowCount() {
    long count = 1;
    for (String dimension : dimensions) {
      long size = part.sizes().getOrDefault(dimension, 1L);
      count = size > 0 && count > Long.MAX_VALUE / size ? Long.MAX_VALUE : count * size;
    }
    return count;
  }

  /** The form of the rows. */
  enum Form {
    CSV,
    LINES,
    LIST
  }

  /** Returns the text in pieces. */
  Flux<Bytes> text(Form form) {
    String begin =
        switch (form) {
          case CSV ->
              columns().stream().map(DatasetTable::quoted).collect(Collectors.joining(","))
                  + "\r\n";
          case LINES -> "";
          case LIST -> "[";
        };
    Flux<Bytes> rows =
        part.blocks(variables.toArray(String[]::new))
            .index()
            .concatMap(counted -> block(counted.getT2(), form, counted.getT1() == 0, begin), 1)
            .switchIfEmpty(Mono.fromSupplier(() -> Bytes.utf8(begin)));
    Flux<Bytes> all = form == Form.LIST ? rows.concatWithValues(Bytes.utf8("]\n")) : rows;
    return all.publishOn(Environment.current().codecScheduler(), 1);
  }

  /** Returns the text of a block, whose pieces are made as they are demanded. */
  private Flux<Bytes> block(DatasetBlock block, Form form, boolean isFirst, String begin) {
    Cells cells = new Cells(block);
    return Flux.generate(
        () -> 0L,
        (from, sink) -> {
          StringBuilder text = new StringBuilder(isFirst && from == 0 ? begin : "");
          long row = from;
          while (row < cells.count && text.length() < PIECE) {
            if (form == Form.LIST && !(isFirst && row == 0)) {
              text.append(',');
            }
            cells.append(row++, form, text);
          }
          sink.next(Bytes.utf8(text.toString()));
          if (row == cells.count) {
            sink.complete();
          }
          return row;
        });
  }

  /** The cells of a block. */
  private final class Cells {
    private final long[] extents;
    private final long[] origin;
    private final List<Optional<NdArray>> labels = new ArrayList<>();
    private final List<NdArray> values = new ArrayList<>();

    /** For each variable the number of elements from one index of a dimension to the next; 0. */
    private final List<long[]> strides = new ArrayList<>();

    private final long count;

    Cells(DatasetBlock block) {
      int rank = dimensions.size();
      this.extents = new long[rank];
      this.origin = new long[rank];
      long cells = 1;
      for (int d = 0; d < rank; d++) {
        String name = dimensions.get(d);
        extents[d] = block.sizes().getOrDefault(name, 1L);
        origin[d] = block.origin().getOrDefault(name, 0L);
        NdArray label = block.coordinates().get(name);
        labels.add(Optional.ofNullable(label).map(given -> readable(name, given)));
        cells *= extents[d];
      }
      this.count = cells;
      for (String name : variables) {
        Variable variable = part.variable(name);
        values.add(readable(name, block.values().get(name)));
        long[] steps = new long[rank];
        long step = 1;
        List<String> own = variable.dimensions();
        for (int d = own.size() - 1; d >= 0; d--) {
          int at = dimensions.indexOf(own.get(d));
          steps[at] = step;
          step *= extents[at];
        }
        strides.add(steps);
      }
    }

    private NdArray readable(String name, @Nullable NdArray data) {
      NdArray given = Objects.requireNonNull(data, name);
      return part.variable(name).decoding().withDatesAsText(given).toContiguous();
    }

    void append(long row, Form form, StringBuilder text) {
      long[] index = new long[extents.length];
      long rest = row;
      for (int d = index.length - 1; d >= 0; d--) {
        index[d] = rest % extents[d];
        rest /= extents[d];
      }
      Map<String, JsonValue> cells = new LinkedHashMap<>();
      for (int d = 0; d < index.length; d++) {
        int at = (int) index[d];
        long number = origin[d] + at;
        cells.put(
            dimensions.get(d),
            labels.get(d).map(label -> label.toJson(at)).orElseGet(() -> JsonNumber.of(number)));
      }
      for (int v = 0; v < values.size(); v++) {
        long element = 0;
        for (int d = 0; d < index.length; d++) {
          element += strides.get(v)[d] * index[d];
        }
        cells.put(variables.get(v), values.get(v).toJson((int) element));
      }
      if (form == Form.CSV) {
        text.append(
                cells.values().stream().map(DatasetTable::cell).collect(Collectors.joining(",")))
            .append("\r\n");
      } else {
        JsonObject object = JsonObject.EMPTY;
        for (Map.Entry<String, JsonValue> cell : cells.entrySet()) {
          object = object.with(cell.getKey(), isMissing(cell.getValue()) ? NULL : cell.getValue());
        }
        text.append(object).append(form == Form.LINES ? "\n" : "");
      }
    }
  }

  private static boolean isMissing(JsonValue value) {
    return value instanceof JsonString text
        && (text.value().equals("NaN") || text.value().equals("NaT"));
  }

  private static String cell(JsonValue value) {
    if (isMissing(value)) {
      return "";
    }
    return quoted(value instanceof JsonString text ? text.value() : value.toString());
  }

  private static String quoted(String text) {
    boolean isPlain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
    return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  @Override
  public String toString() {
    return "table of " + columns() + " of " + part.path();
  }
}
