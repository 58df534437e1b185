package dev.zarrreactive.kerchunk;

import com.github.luben.zstd.Zstd;
import dev.zarrreactive.base.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes record files of Parquet for tests: plain pages of version 1, compressed by zstd, each
 * column one page.
 */
final class ParquetBuilder {
  private static final int INT64 = 2;
  private static final int BYTE_ARRAY = 6;
  private static final int ZSTD = 6;

  private final int rows;
  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private final List<Column> columns = new ArrayList<>();

  private int lyingSize = -1;

  private record Column(String name, int type, boolean isOptional, int start, int size) {}

  ParquetBuilder(int rows) {
    this.rows = rows;
    file.writeBytes("PAR1".getBytes(StandardCharsets.UTF_8));
  }

  /** Makes the next pages say that they have this size when they are not compressed. */
  ParquetBuilder lying(int size) {
    lyingSize = size;
    return this;
  }

  ParquetBuilder integers(String name, IntToLongFunction values) {
    ByteBuffer page = ByteBuffer.allocate(8 * rows).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < rows; i++) {
      page.putLong(values.applyAsLong(i));
    }
    return column(name, INT64, false, page.array());
  }

  ParquetBuilder texts(String name, IntFunction<@Nullable String> values) {
    ByteArrayOutputStream texts = new ByteArrayOutputStream();
    ByteArrayOutputStream levels = new ByteArrayOutputStream();
    for (int i = 0; i < rows; i++) {
      String value = values.apply(i);
      levels.write(2); // a run of one level
      levels.write(value == null ? 0 : 1);
      if (value != null) {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        texts.writeBytes(little(text.length));
        texts.writeBytes(text);
      }
    }
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    page.writeBytes(little(levels.size()));
    page.writeBytes(levels.toByteArray());
    page.writeBytes(texts.toByteArray());
    return column(name, BYTE_ARRAY, true, page.toByteArray());
  }

  private ParquetBuilder column(String name, int type, boolean isOptional, byte[] page) {
    byte[] compressed = Zstd.compress(page);
    Thrift header =
        new Thrift()
            .i32(1, 0)
            .i32(2, lyingSize < 0 ? page.length : lyingSize)
            .i32(3, compressed.length)
            .struct(5, new Thrift().i32(1, rows).i32(2, 0).i32(3, 3).i32(4, 3));
    int start = file.size();
    file.writeBytes(header.bytes());
    file.writeBytes(compressed);
    columns.add(new Column(name, type, isOptional, start, file.size() - start));
    return this;
  }

  private static byte[] little(int value) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
  }

  Bytes build() {
    List<Thrift> schema = new ArrayList<>();
    schema.add(new Thrift().text(4, "schema").i32(5, columns.size()));
    List<Thrift> chunks = new ArrayList<>();
    for (Column column : columns) {
      schema.add(
          new Thrift()
              .i32(1, column.type())
              .i32(3, column.isOptional() ? 1 : 0)
              .text(4, column.name()));
      chunks.add(
          new Thrift()
              .i64(2, column.start())
              .struct(
                  3,
                  new Thrift()
                      .i32(1, column.type())
                      .texts(3, column.name())
                      .i32(4, ZSTD)
                      .i64(5, rows)
                      .i64(6, column.size())
                      .i64(7, column.size())
                      .i64(9, column.start())));
    }
    byte[] footer =
        new Thrift()
            .i32(1, 1)
            .structs(2, schema)
            .i64(3, rows)
            .structs(4, List.of(new Thrift().structs(1, chunks).i64(2, 1).i64(3, rows)))
            .bytes();
    file.writeBytes(footer);
    file.writeBytes(little(footer.length));
    file.writeBytes("PAR1".getBytes(StandardCharsets.UTF_8));
    return Bytes.wrap(file.toByteArray());
  }

  /** A struct of Thrift's compact protocol. */
  private static final class Thrift {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int last;

    private Thrift field(int id, int type) {
      out.write((id - last) << 4 | type);
      last = id;
      return this;
    }

    private Thrift varint(long value) {
      long rest = value;
      while (rest >>> 7 != 0) {
        out.write((int) (rest & 0x7f | 0x80));
        rest >>>= 7;
      }
      out.write((int) rest);
      return this;
    }

    private Thrift zigzag(long value) {
      return varint(value << 1 ^ value >> 63);
    }

    Thrift i32(int id, int value) {
      return field(id, 5).zigzag(value);
    }

    Thrift i64(int id, long value) {
      return field(id, 6).zigzag(value);
    }

    private void raw(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      varint(bytes.length);
      out.writeBytes(bytes);
    }

    Thrift text(int id, String text) {
      field(id, 8).raw(text);
      return this;
    }

    Thrift texts(int id, String text) {
      field(id, 9);
      out.write(1 << 4 | 8);
      raw(text);
      return this;
    }

    Thrift struct(int id, Thrift struct) {
      field(id, 12);
      out.writeBytes(struct.bytes());
      return this;
    }

    Thrift structs(int id, List<Thrift> structs) {
      field(id, 9);
      out.write((structs.size() < 15 ? structs.size() : 15) << 4 | 12);
      if (structs.size() >= 15) {
        varint(structs.size());
      }
      structs.forEach(struct -> out.writeBytes(struct.bytes()));
      return this;
    }

    byte[] bytes() {
      byte[] fields = out.toByteArray();
      byte[] all = new byte[fields.length + 1];
      System.arraycopy(fields, 0, all, 0, fields.length);
      return all;
    }
  }
}
