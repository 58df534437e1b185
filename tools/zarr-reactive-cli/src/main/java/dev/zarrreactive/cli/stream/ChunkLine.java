package dev.zarrreactive.cli.stream;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.cli.output.ElementText;
import dev.zarrreactive.dataset.ExactStatistics;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.util.Arrays;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;

/**
 * A chunk on one line: its index, for an inner chunk that of its shard and its own, its selection,
 * and a summary of its elements.
 */
public final class ChunkLine {
  private static final int FIRST = 4;

  private ChunkLine() {}

  /** Returns the line of {@code chunk}. */
  public static String of(Chunk chunk) {
    long[] inner = chunk.innerIndex();
    return Arrays.toString(chunk.index())
        + (inner == null ? "" : " inner " + Arrays.toString(inner))
        + "  "
        + chunk.selection()
        + "  "
        + values(chunk.data());
  }

  /** Returns {@code chunk} as an object, with least and greatest where elements have an order. */
  static JsonObject json(Chunk chunk) {
    NdArray data = chunk.data();
    JsonObject line = JsonObject.EMPTY.with("chunk", JsonArray.ofIntegers(chunk.index()));
    long[] inner = chunk.innerIndex();
    if (inner != null) {
      line = line.with("inner_chunk", JsonArray.ofIntegers(inner));
    }
    line = line.with("selection", chunk.selection().toString());
    line = line.with("shape", JsonArray.ofIntegers(data.shape().toArray()));
    if (!data.shape().isEmpty() && hasOrder(data.dataType())) {
      ExactStatistics values = ExactStatistics.of(data);
      line = values.min().map(least -> least.toJson(0)).map(bound("min", line)).orElse(line);
      line = values.max().map(most -> most.toJson(0)).map(bound("max", line)).orElse(line);
    }
    return line;
  }

  private static Function<JsonValue, JsonObject> bound(String name, JsonObject line) {
    return value -> line.with(name, value);
  }

  private static boolean hasOrder(DataType type) {
    return type instanceof IntegerType || type instanceof FloatType || type instanceof TimeType;
  }

  private static String values(NdArray data) {
    if (data.shape().isEmpty()) {
      return "no elements";
    }
    return hasOrder(data.dataType()) ? range(data) : first(data);
  }

  /** Returns the least and the greatest element, leaving out NaN and NaT. */
  private static String range(NdArray data) {
    ExactStatistics values = ExactStatistics.of(data);
    Optional<NdArray> least = values.min();
    Optional<NdArray> greatest = values.max();
    if (least.isEmpty() || greatest.isEmpty()) {
      return data.dataType() instanceof TimeType ? "nothing but NaT" : "nothing but NaN";
    }
    return "min " + text(least.get(), 0) + "  max " + text(greatest.get(), 0);
  }

  private static String first(NdArray data) {
    StringJoiner values = new StringJoiner(", ", "first ", "");
    long count = data.shape().elementCountUpTo(FIRST + 1);
    for (int element = 0; element < Math.min(FIRST, count); element++) {
      values.add(text(data, element));
    }
    return values + (count > FIRST ? ", ..." : "");
  }

  private static String text(NdArray data, int element) {
    return ElementText.of(data.dataType(), data.toJson(element));
  }
}
