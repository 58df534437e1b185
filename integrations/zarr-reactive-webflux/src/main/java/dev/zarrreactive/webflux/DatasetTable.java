package dev.zarrreactive.webflux;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.DatasetBlock;
import dev.zarrreactive.internal.rows.RowPlaces;
import dev.zarrreactive.internal.rows.TableRows;
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
        TableRows.dimensions(
            variables.stream().map(name -> part.variable(name).dimensions()).toList());
  }

  /** The names of the columns: dimensions, and variables after them. */
  public List<String> columns() {
    List<String> names = new ArrayList<>(dimensions);
    names.addAll(variables);
    return List.copyOf(names);
  }

  /** The number of rows; {@link Long#MAX_VALUE} for more. */
  public long rowCount() {
    return TableRows.count(part, dimensions);
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
    private final TableRows rows;
    private final List<Optional<NdArray>> labels = new ArrayList<>();
    private final List<RowPlaces> indices = new ArrayList<>();
    private final List<NdArray> values = new ArrayList<>();
    private final List<RowPlaces> places = new ArrayList<>();
    private final long count;

    Cells(DatasetBlock block) {
      this.rows = TableRows.of(block, dimensions);
      this.count = rows.count();
      for (String name : dimensions) {
        NdArray label = block.coordinates().get(name);
        labels.add(Optional.ofNullable(label).map(given -> readable(name, given)));
        indices.add(rows.places(List.of(name)));
      }
      for (String name : variables) {
        values.add(readable(name, block.values().get(name)));
        places.add(rows.places(part.variable(name).dimensions()));
      }
    }

    private NdArray readable(String name, @Nullable NdArray data) {
      NdArray given = Objects.requireNonNull(data, name);
      return part.variable(name).decoding().withDatesAsText(given).toContiguous();
    }

    void append(long row, Form form, StringBuilder text) {
      Map<String, JsonValue> cells = new LinkedHashMap<>();
      for (int d = 0; d < dimensions.size(); d++) {
        int at = indices.get(d).place(row);
        long number = rows.origin(d) + at;
        cells.put(
            dimensions.get(d),
            labels.get(d).map(label -> label.toJson(at)).orElseGet(() -> JsonNumber.of(number)));
      }
      for (int v = 0; v < values.size(); v++) {
        cells.put(variables.get(v), values.get(v).toJson(places.get(v).place(row)));
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
