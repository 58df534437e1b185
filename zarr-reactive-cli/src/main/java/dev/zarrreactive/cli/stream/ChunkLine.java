package dev.zarrreactive.cli.stream;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.Elements;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import java.util.Arrays;
import java.util.StringJoiner;

/** A chunk on one line: its index, what it selects, and what its elements are like. */
public final class ChunkLine {
  private static final int FIRST = 4;

  private ChunkLine() {}

  /** The line of {@code chunk}. */
  public static String of(Chunk chunk) {
    return Arrays.toString(chunk.index())
        + "  "
        + chunk.selection()
        + "  "
        + values(chunk.data().dataType(), chunk.data().elements());
  }

  private static String values(DataType dataType, Elements elements) {
    if (elements.count() == 0) {
      return "no elements";
    }
    if (dataType instanceof IntegerType) {
      return range(elements, dataType.equals(DataTypes.UINT64) ? Kind.UNSIGNED : Kind.INTEGER);
    }
    return dataType instanceof FloatType ? range(elements, Kind.FLOAT) : first(elements);
  }

  private enum Kind {
    INTEGER,
    UNSIGNED,
    FLOAT;

    boolean isLess(Elements elements, int one, int other) {
      return switch (this) {
        case INTEGER -> elements.longAt(one) < elements.longAt(other);
        case UNSIGNED ->
            Long.compareUnsigned(elements.unsignedLongAt(one), elements.unsignedLongAt(other)) < 0;
        case FLOAT -> elements.doubleAt(one) < elements.doubleAt(other);
      };
    }

    boolean isNumber(Elements elements, int element) {
      return this != FLOAT || !Double.isNaN(elements.doubleAt(element));
    }
  }

  /** NaNs are neither. */
  private static String range(Elements elements, Kind kind) {
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
    return least < 0
        ? "nothing but NaN"
        : "min " + elements.toJson(least) + "  max " + elements.toJson(greatest);
  }

  private static String first(Elements elements) {
    StringJoiner values = new StringJoiner(", ", "first ", "");
    for (int element = 0; element < Math.min(FIRST, elements.count()); element++) {
      values.add(elements.toJson(element).toString());
    }
    return values + (elements.count() > FIRST ? ", ..." : "");
  }
}
