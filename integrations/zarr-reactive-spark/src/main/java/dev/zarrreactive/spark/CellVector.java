package dev.zarrreactive.spark;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.internal.rows.RowPlaces;
import dev.zarrreactive.partition.CoordinateColumn;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Values of one column in an array of Java, or in a column each for the fields of structs. One
 * thread reads a column.
 */
abstract class CellVector extends ColumnVector {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle FLOAT =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle DOUBLE =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

  private final boolean @Nullable [] nulls;
  private final @Nullable RowPlaces rows;

  private CellVector(DataType type, boolean @Nullable [] nulls, @Nullable RowPlaces rows) {
    super(type);
    this.nulls = nulls;
    this.rows = rows;
  }

  /** Returns the same values for other rows; null for rows that are the places. */
  abstract CellVector at(@Nullable RowPlaces places);

  final boolean @Nullable [] nulls() {
    return nulls;
  }

  final int place(int row) {
    return rows == null ? row : rows.place(row);
  }

  @Override
  public void close() {
    // the memory is the heap's
  }

  @Override
  public final boolean hasNull() {
    return nulls != null;
  }

  @Override
  public final int numNulls() {
    int count = 0;
    for (int i = 0; nulls != null && i < nulls.length; i++) {
      count += nulls[i] ? 1 : 0;
    }
    return count;
  }

  @Override
  public final boolean isNullAt(int row) {
    return nulls != null && nulls[place(row)];
  }

  private UnsupportedOperationException other() {
    return new UnsupportedOperationException("the column has values of " + type);
  }

  @Override
  public boolean getBoolean(int row) {
    throw other();
  }

  @Override
  public byte getByte(int row) {
    throw other();
  }

  @Override
  public short getShort(int row) {
    throw other();
  }

  @Override
  public int getInt(int row) {
    throw other();
  }

  @Override
  public long getLong(int row) {
    throw other();
  }

  @Override
  public float getFloat(int row) {
    throw other();
  }

  @Override
  public double getDouble(int row) {
    throw other();
  }

  @Override
  public ColumnarArray getArray(int row) {
    throw other();
  }

  @Override
  public ColumnarMap getMap(int row) {
    throw other();
  }

  @Override
  @SuppressWarnings("NullAway") // null stands for NULL
  public Decimal getDecimal(int row, int precision, int scale) {
    return (Decimal) object(row);
  }

  @Override
  @SuppressWarnings("NullAway") // null stands for NULL
  public UTF8String getUTF8String(int row) {
    return (UTF8String) object(row);
  }

  @Override
  @SuppressWarnings("NullAway") // null stands for NULL
  public byte[] getBinary(int row) {
    return (byte[]) object(row);
  }

  @Nullable Object object(int row) {
    throw other();
  }

  /** Returns a value in the form of Spark's rows; it is not NULL. */
  final @Nullable Object value(int row) {
    if (this instanceof Booleans) {
      return getBoolean(row);
    } else if (this instanceof Ints) {
      return type.equals(DataTypes.ByteType)
          ? (Object) getByte(row)
          : type.equals(DataTypes.ShortType) ? (Object) getShort(row) : (Object) getInt(row);
    } else if (this instanceof Longs) {
      return getLong(row);
    } else if (this instanceof Floats) {
      return getFloat(row);
    } else if (this instanceof Doubles) {
      return getDouble(row);
    }
    Object value = object(row);
    return value instanceof UTF8String text ? text.copy() : value;
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    throw other();
  }

  /** Booleans. */
  static final class Booleans extends CellVector {
    private final boolean[] values;

    Booleans(
        DataType type, boolean[] values, boolean @Nullable [] nulls, @Nullable RowPlaces rows) {
      super(type, nulls, rows);
      this.values = values;
    }

    @Override
    CellVector at(@Nullable RowPlaces places) {
      return new Booleans(type, values, nulls(), places);
    }

    @Override
    public boolean getBoolean(int row) {
      return values[place(row)];
    }
  }

  /** Integers of up to 32 bits, as images of {@code int32}: they are not copied. */
  static final class Ints extends CellVector {
    private final Bytes values;
    private final byte[] array;
    private final int offset;

    Ints(DataType type, Bytes values, boolean @Nullable [] nulls, @Nullable RowPlaces rows) {
      super(type, nulls, rows);
      this.values = values;
      this.array = values.unsafeArray();
      this.offset = values.unsafeOffset();
    }

    @Override
    CellVector at(@Nullable RowPlaces places) {
      return new Ints(type, values, nulls(), places);
    }

    @Override
    public byte getByte(int row) {
      return (byte) getInt(row);
    }

    @Override
    public short getShort(int row) {
      return (short) getInt(row);
    }

    @Override
    public int getInt(int row) {
      return (int) INT.get(array, offset + place(row) * Integer.BYTES);
    }
  }

  /** Integers of 64 bits, times and lengths of time. */
  static final class Longs extends CellVector {
    private final long[] values;

    Longs(DataType type, long[] values, boolean @Nullable [] nulls, @Nullable RowPlaces rows) {
      super(type, nulls, rows);
      this.values = values;
    }

    @Override
    CellVector at(@Nullable RowPlaces places) {
      return new Longs(type, values, nulls(), places);
    }

    @Override
    public long getLong(int row) {
      return values[place(row)];
    }
  }

  /** Floats of up to 32 bits, as images of {@code float32}. */
  static final class Floats extends CellVector {
    private final Bytes values;
    private final byte[] array;
    private final int offset;

    Floats(DataType type, Bytes values, boolean @Nullable [] nulls, @Nullable RowPlaces rows) {
      super(type, nulls, rows);
      this.values = values;
      this.array = values.unsafeArray();
      this.offset = values.unsafeOffset();
    }

    @Override
    CellVector at(@Nullable RowPlaces places) {
      return new Floats(type, values, nulls(), places);
    }

    @Override
    public float getFloat(int row) {
      return (float) FLOAT.get(array, offset + place(row) * Float.BYTES);
    }
  }

  /** Floats of 64 bits, as their images. */
  static final class Doubles extends CellVector {
    private final Bytes values;
    private final byte[] array;
    private final int offset;

    Doubles(DataType type, Bytes values, boolean @Nullable [] nulls, @Nullable RowPlaces rows) {
      super(type, nulls, rows);
      this.values = values;
      this.array = values.unsafeArray();
      this.offset = values.unsafeOffset();
    }

    @Override
    CellVector at(@Nullable RowPlaces places) {
      return new Doubles(type, values, nulls(), places);
    }

    @Override
    public double getDouble(int row) {
      return (double) DOUBLE.get(array, offset + place(row) * Double.BYTES);
    }
  }

  /** Texts, bytes and decimals. */
  static final class Objects extends CellVector {
    private final @Nullable Object[] values;

    Objects(
        DataType type,
        @Nullable Object[] values,
        boolean @Nullable [] nulls,
        @Nullable RowPlaces rows) {
      super(type, nulls, rows);
      this.values = values;
    }

    @Override
    CellVector at(@Nullable RowPlaces places) {
      return new Objects(type, values, nulls(), places);
    }

    @Override
    @Nullable Object object(int row) {
      return values[place(row)];
    }

    /** Returns the order of texts and of decimals; null for bytes. */
    CoordinateColumn.@Nullable Values order() {
      if (type instanceof StringType) {
        return (i, j) -> getUTF8String(i).compareTo(getUTF8String(j));
      }
      return type instanceof DecimalType
          ? (i, j) -> getDecimal(i, 20, 0).compareTo(getDecimal(j, 20, 0))
          : null;
    }
  }

  /** Few values of any type, in the form of Spark's rows; null stands for NULL. */
  static final class Boxed extends CellVector {
    private final @Nullable Object[] values;

    Boxed(DataType type, @Nullable Object[] values, @Nullable RowPlaces rows) {
      super(type, nulls(values), rows);
      this.values = values;
    }

    private static boolean @Nullable [] nulls(@Nullable Object[] values) {
      boolean[] nulls = new boolean[values.length];
      boolean hasNull = false;
      for (int i = 0; i < nulls.length; i++) {
        nulls[i] = values[i] == null;
        hasNull |= nulls[i];
      }
      return hasNull ? nulls : null;
    }

    @Override
    CellVector at(@Nullable RowPlaces places) {
      return new Boxed(type, values, places);
    }

    @Override
    @Nullable Object object(int row) {
      return values[place(row)];
    }

    private <T> T known(int row, Class<T> type) {
      return java.util.Objects.requireNonNull(type.cast(object(row)));
    }

    @Override
    public boolean getBoolean(int row) {
      return known(row, Boolean.class);
    }

    @Override
    public byte getByte(int row) {
      return known(row, Byte.class);
    }

    @Override
    public short getShort(int row) {
      return known(row, Short.class);
    }

    @Override
    public int getInt(int row) {
      return known(row, Integer.class);
    }

    @Override
    public long getLong(int row) {
      return known(row, Long.class);
    }

    @Override
    public float getFloat(int row) {
      return known(row, Float.class);
    }

    @Override
    public double getDouble(int row) {
      return known(row, Double.class);
    }
  }

  /** Structs. */
  static final class Structs extends CellVector {
    private final List<CellVector> fields;

    Structs(
        DataType type,
        List<CellVector> fields,
        boolean @Nullable [] nulls,
        @Nullable RowPlaces rows) {
      super(type, nulls, rows);
      this.fields = fields;
    }

    @Override
    CellVector at(@Nullable RowPlaces places) {
      return new Structs(
          type, fields.stream().map(field -> field.at(places)).toList(), nulls(), places);
    }

    @Override
    public ColumnVector getChild(int ordinal) {
      return fields.get(ordinal);
    }
  }
}
