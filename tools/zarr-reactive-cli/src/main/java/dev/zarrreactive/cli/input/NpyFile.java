package dev.zarrreactive.cli.input;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.NumpyUnit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The header of a NumPy file, as {@code numpy.lib.format} describes it, of versions 1 to 3. */
record NpyFile(ItemLayout layout, Shape shape, boolean isFortran, long dataStart) {
  static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  /** A struct of 10,000 fields has a shorter one. */
  private static final int LONGEST = 1 << 20;

  private static final Pattern TYPE = Pattern.compile("([<>|=])?([a-zA-Z])(\\d{0,9})(\\[.*])?");
  private static final Pattern UNIT = Pattern.compile("\\[(\\d{1,9})?([a-zA-Zμ]{1,2})]");

  /**
   * Reads the header.
   *
   * @throws CommandFailure for a file that is broken, or has a type that Zarr lacks
   */
  static NpyFile parse(InputStream file) throws IOException {
    byte[] start = file.readNBytes(MAGIC.length + 2);
    int version = start.length < MAGIC.length + 2 ? 0 : start[MAGIC.length];
    if (!ByteBuffer.wrap(start, 0, Math.min(start.length, MAGIC.length))
            .equals(ByteBuffer.wrap(MAGIC))
        || version < 1
        || version > 3) {
      throw new CommandFailure(
          "not a NumPy file of versions 1 to 3; zarr help import lists other formats");
    }
    int lengthSize = version == 1 ? Short.BYTES : Integer.BYTES;
    byte[] lengthBytes = file.readNBytes(lengthSize);
    if (lengthBytes.length < lengthSize) {
      throw new CommandFailure("the NumPy file ends in its header");
    }
    ByteBuffer length = ByteBuffer.wrap(lengthBytes).order(ByteOrder.LITTLE_ENDIAN);
    long size = version == 1 ? length.getShort() & 0xffff : length.getInt() & 0xffff_ffffL;
    if (size > LONGEST) {
      throw new CommandFailure("the header of the NumPy file has " + size + " bytes, too many");
    }
    byte[] header = file.readNBytes((int) size);
    if (header.length < size) {
      throw new CommandFailure("the NumPy file ends in its header");
    }
    String text =
        new String(header, version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    return of(text, MAGIC.length + 2 + lengthSize + size);
  }

  private static NpyFile of(String text, long dataStart) {
    Object header;
    try {
      header = PythonText.parse(text.strip());
    } catch (IllegalArgumentException e) {
      throw new CommandFailure("the header of the NumPy file is broken: " + e.getMessage(), e);
    }
    if (header instanceof Map<?, ?> members
        && members.get("descr") != null
        && members.get("fortran_order") instanceof Boolean isFortran
        && members.get("shape") instanceof List<?> shape) {
      return new NpyFile(layout(members.get("descr")), shape(shape), isFortran, dataStart);
    }
    throw new CommandFailure(
        "the header of the NumPy file lacks one of descr, fortran_order and shape");
  }

  private static Shape shape(List<?> extents) {
    long[] shape = new long[extents.size()];
    for (int d = 0; d < shape.length; d++) {
      if (!(extents.get(d) instanceof Long extent) || extent < 0) {
        throw new CommandFailure("the header of the NumPy file has the shape " + extents);
      }
      shape[d] = extent;
    }
    return Shape.of(shape);
  }

  private static ItemLayout layout(@Nullable Object description) {
    if (description instanceof String text) {
      return layout(text);
    }
    if (!(description instanceof List<?> fields) || fields.isEmpty()) {
      throw unsupported(description);
    }
    List<ItemLayout.Field> named = new ArrayList<>();
    for (Object field : fields) {
      if (!(field instanceof List<?> parts) || parts.size() != 2) {
        throw unsupported(field); // a field that is an array has a third part
      }
      Object name = parts.get(0) instanceof List<?> titled ? titled.get(1) : parts.get(0);
      if (!(name instanceof String text)) {
        throw unsupported(field);
      }
      named.add(new ItemLayout.Field(text, layout(parts.get(1))));
    }
    try {
      return ItemLayout.of(named);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure("the struct of the NumPy file: " + e.getMessage(), e);
    }
  }

  private static ItemLayout layout(String description) {
    Matcher type = TYPE.matcher(description);
    if (!type.matches()) {
      throw unsupported(description);
    }
    int size = type.group(3).isEmpty() ? 0 : Integer.parseInt(type.group(3));
    try {
      DataType dataType = type(description, type.group(2).charAt(0), size, type.group(4));
      ByteOrder order = ">".equals(type.group(1)) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
      return ItemLayout.of(dataType, order);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new CommandFailure(
          "the data type " + description + " of the NumPy file: " + e.getMessage(), e);
    }
  }

  private static DataType type(String description, char kind, int size, @Nullable String unit) {
    return switch (kind) {
      case 'b' -> named(size == 1 ? "bool" : "", description);
      case 'i' -> named("int" + 8 * size, description);
      case 'u' -> named("uint" + 8 * size, description);
      case 'f' -> named("float" + 8 * size, description);
      case 'c' -> named("complex" + 8 * size, description);
      case 'M' -> DataTypes.datetime64(unit(unit), factor(unit));
      case 'm' -> DataTypes.timedelta64(unit(unit), factor(unit));
      case 'U' -> DataTypes.fixedLengthUtf32(size);
      case 'S', 'a' -> new NullTerminatedBytesType(size);
      case 'V' -> DataTypes.raw(Math.multiplyExact(size, Byte.SIZE));
      case 'O' ->
          throw new CommandFailure(
              "the NumPy file has objects of Python; save texts or numbers of one size instead,"
                  + " for example with array.astype('U')");
      default -> throw unsupported(description);
    };
  }

  private static DataType named(String name, String description) {
    return DataTypes.named().stream()
        .filter(type -> type.name().equals(name))
        .findFirst()
        .orElseThrow(() -> unsupported(description));
  }

  private static NumpyUnit unit(@Nullable String text) {
    if (text == null) {
      return NumpyUnit.GENERIC;
    }
    Matcher unit = UNIT.matcher(text);
    if (unit.matches()) {
      for (NumpyUnit known : NumpyUnit.values()) {
        if (known.symbol().equals(unit.group(2))) {
          return known;
        }
      }
    }
    throw unsupported(text);
  }

  private static int factor(@Nullable String text) {
    Matcher unit = text == null ? null : UNIT.matcher(text);
    String factor = unit != null && unit.matches() ? unit.group(1) : null;
    return factor == null ? 1 : Integer.parseInt(factor);
  }

  private static CommandFailure unsupported(@Nullable Object description) {
    return new CommandFailure(
        "Zarr has no data type for "
            + description
            + " of the NumPy file; numbers, bools, times,"
            + " texts and bytes of one size, and structs of these can be imported");
  }
}
