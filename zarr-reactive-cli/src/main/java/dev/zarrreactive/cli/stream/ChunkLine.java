package dev.zarrreactive.cli.stream;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.Elements;
import dev.zarrreactive.cli.output.ElementText;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.TimeType;
import java.util.Arrays;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

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
        + values(chunk.data().dataType(), chunk.data().elements());
  }

  private static String values(DataType dataType, Elements elements) {
    if (elements.count() == 0) {
      return "no elements";
    }
    Kind kind = Kind.of(dataType);
    return kind == null ? first(dataType, elements) : range(dataType, elements, kind);
  }

  private enum Kind {
    INTEGER,
    UNSIGNED,
    FLOAT,
    TIME;

    /** Returns the order of elements of a type; null without one. */
    static @Nullable Kind of(DataType type) {
      if (type instanceof IntegerType) {
        return type.equals(DataTypes.UINT64) ? UNSIGNED : INTEGER;
      } else if (type instanceof FloatType) {
        return FLOAT;
      }
      return type instanceof TimeType ? TIME : null;
    }

    boolean isLess(Elements elements, int one, int other) {
      return switch (this) {
        case INTEGER, TIME -> elements.longAt(one) < elements.longAt(other);
        case UNSIGNED ->
            Long.compareUnsigned(elements.unsignedLongAt(one), elements.unsignedLongAt(other)) < 0;
        case FLOAT -> elements.doubleAt(one) < elements.doubleAt(other);
      };
    }

    boolean isNumber(Elements elements, int element) {
      return switch (this) {
        case FLOAT -> !Double.isNaN(elements.doubleAt(element));
        case TIME -> elements.longAt(element) != TimeType.NAT;
        default -> true;
      };
    }
  }

  /** Returns the least and the greatest element, leaving out NaN and NaT. */
  private static String range(DataType dataType, Elements elements, Kind kind) {
    int least = -1;
    int greatest = -1;
    for (int element = 0; element < elements.count(); element++) {
      if (kind.isNumber(elements, element)) {
        if (least < 0 || kind.isLess(elements, element, least)) {
          least = element;
        }
        if (greatest < 0 || kind.isLess(elements, greatest, element)) {
          greatest = element;
        }
      }
    }
    if (least < 0) {
      return kind == Kind.TIME ? "nothing but NaT" : "nothing but NaN";
    }
    return "min "
        + ElementText.of(dataType, elements.toJson(least))
        + "  max "
        + ElementText.of(dataType, elements.toJson(greatest));
  }

  private static String first(DataType dataType, Elements elements) {
    StringJoiner values = new StringJoiner(", ", "first ", "");
    for (int element = 0; element < Math.min(FIRST, elements.count()); element++) {
      values.add(ElementText.of(dataType, elements.toJson(element)));
    }
    return values + (elements.count() > FIRST ? ", ..." : "");
  }
}
