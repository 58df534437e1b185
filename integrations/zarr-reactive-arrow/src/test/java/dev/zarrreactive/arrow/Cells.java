package dev.zarrreactive.arrow;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** The cells of batches as the texts that make_frames.py writes. */
final class Cells {
  /** What a cell of bytes begins with. */
  static final String BYTES = "bytes ";

  private Cells() {}

  static List<Map<String, String>> of(VectorSchemaRoot batch) {
    List<Map<String, String>> rows = new ArrayList<>();
    for (int row = 0; row < batch.getRowCount(); row++) {
      Map<String, String> cells = new LinkedHashMap<>();
      for (FieldVector vector : batch.getFieldVectors()) {
        cells.put(vector.getName(), cell(vector, row));
      }
      rows.add(cells);
    }
    return rows;
  }

  static String cell(FieldVector vector, int row) {
    if (vector.isNull(row)) {
      return "null";
    } else if (vector instanceof BitVector bits) {
      return bits.get(row) == 1 ? "true" : "false";
    } else if (vector instanceof Float8Vector floats) {
      return number(floats.get(row));
    } else if (vector instanceof Float4Vector floats) {
      return number(floats.get(row));
    } else if (vector instanceof Float2Vector floats) {
      return number(floats.getValueAsFloat(row));
    } else if (vector instanceof VarCharVector texts) {
      return new String(texts.get(row), StandardCharsets.UTF_8);
    } else if (vector instanceof VarBinaryVector bytes) {
      return BYTES + HexFormat.of().formatHex(bytes.get(row));
    } else if (vector instanceof TimeStampVector times) {
      return nanos(times.get(row), ((ArrowType.Timestamp) times.getField().getType()).getUnit());
    } else if (vector instanceof DurationVector lengths) {
      ArrowType.Duration type = (ArrowType.Duration) lengths.getField().getType();
      return nanos(lengths.getDataBuffer().getLong(row * 8L), type.getUnit());
    } else if (vector instanceof UInt1Vector integers) {
      return Integer.toString(integers.get(row) & 0xff);
    } else if (vector instanceof UInt2Vector integers) {
      return Integer.toString(integers.get(row));
    } else if (vector instanceof UInt4Vector integers) {
      return Integer.toUnsignedString(integers.get(row));
    } else if (vector instanceof UInt8Vector integers) {
      return Long.toUnsignedString(integers.get(row));
    }
    return String.valueOf(vector.getObject(row));
  }

  private static String nanos(long count, TimeUnit unit) {
    long factor =
        switch (unit) {
          case SECOND -> 1_000_000_000;
          case MILLISECOND -> 1_000_000;
          case MICROSECOND -> 1000;
          case NANOSECOND -> 1;
        };
    return BigInteger.valueOf(count).multiply(BigInteger.valueOf(factor)).toString();
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "null"; // pandas knows no difference
    }
    boolean isWhole = value == Math.rint(value) && Math.abs(value) < 0x1p53;
    return isWhole
        ? Long.toString((long) value)
        : HexFormat.of().toHexDigits(Double.doubleToLongBits(value));
  }
}
