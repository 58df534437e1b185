package dev.zarrreactive.internal.parquet;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file of Parquet in memory, with flat columns. Reading it checks every offset and length, and
 * allocates no more than the pages can hold.
 */
public final class ParquetFile {
  private static final int MAGIC = 0x31524150;
  private static final int ENCRYPTED_MAGIC = 0x45524150;
  private static final int FRAME = 4;

  private final Bytes file;
  private final long mostBytes;
  private final ParquetPlace place;
  private final int rows;
  private final Map<String, Boolean> optional = new HashMap<>();
  private final List<Group> groups;

  /** Some rows, with their columns by name. */
  private record Group(int rows, Map<String, ColumnChunk> columns) {}

  private ParquetFile(Bytes file, int mostRows, long mostBytes, Location where) {
    this.file = file;
    this.mostBytes = mostBytes;
    this.place = new ParquetPlace(where, "the footer");
    Footer footer = new Footer();
    footer.read();
    long all = 0;
    for (Group group : footer.groups) {
      all += group.rows();
    }
    if (all != footer.rows) {
      throw place.damaged(footer.rows + " rows, and " + all + " in its row groups");
    } else if (all > mostRows) {
      throw place.damaged(all + " rows; at most " + mostRows + " were expected");
    }
    this.rows = (int) all;
    this.groups = List.copyOf(footer.groups);
  }

  /**
   * Reads the footer of a file.
   *
   * @param mostRows the most rows that it may have
   * @param mostBytes the most bytes of a page, not compressed
   * @param where the place of the file, for errors
   * @throws dev.zarrreactive.error.StoreException where the file is damaged
   * @throws dev.zarrreactive.error.UnsupportedFeatureException where it has what writers of
   *     references do not use
   */
  public static ParquetFile of(Bytes file, int mostRows, long mostBytes, Location where) {
    return new ParquetFile(file, mostRows, mostBytes, where);
  }

  /** The number of rows. */
  public int rows() {
    return rows;
  }

  /**
   * Reads a column; does nothing where there is none of this name.
   *
   * @throws dev.zarrreactive.error.StoreException where it is damaged
   * @throws dev.zarrreactive.error.UnsupportedFeatureException where it is written in a way that
   *     writers of references do not use
   */
  public void read(String name, ParquetColumn column) {
    Boolean isOptional = optional.get(name);
    if (isOptional == null) {
      return;
    }
    int first = 0;
    for (Group group : groups) {
      ColumnChunk chunk = group.columns().get(name);
      if (chunk != null) {
        ParquetPlace in = place.in("the column \"" + name + "\"");
        new PageReader(file, chunk, isOptional, mostBytes, in).read(column, first, group.rows());
      }
      first += group.rows();
    }
  }

  /** Reads the footer. */
  private final class Footer {
    private final ThriftReader in;
    private final int end;
    private long rows;
    private final List<Group> groups = new ArrayList<>();

    Footer() {
      int size = file.size();
      if (size < 3 * FRAME || file.getInt(0) != MAGIC || file.getInt(size - FRAME) != MAGIC) {
        if (size >= 3 * FRAME && file.getInt(size - FRAME) == ENCRYPTED_MAGIC) {
          throw place.unsupported("an encryption");
        }
        throw place.damaged("it does not begin and end with PAR1");
      }
      long length = file.getInt(size - 2 * FRAME) & 0xffff_ffffL;
      if (length > size - 3 * FRAME) {
        throw place.damaged("a footer of " + length + " bytes in a file of " + size);
      }
      end = size - 2 * FRAME - (int) length;
      in = new ThriftReader(file.slice(0, size - 2 * FRAME), end, place);
    }

    void read() {
      in.struct(
          (id, type) -> {
            if (id == 2 && type == ThriftReader.LIST) {
              readSchema();
            } else if (id == 3 && type == ThriftReader.I64) {
              rows = in.i64();
            } else if (id == 4 && type == ThriftReader.LIST) {
              int count = in.list();
              for (int i = 0; i < count; i++) {
                readGroup();
              }
            } else {
              return false;
            }
            return true;
          });
    }

    /** Names the columns at the top; others cannot be read. */
    private void readSchema() {
      int count = in.list();
      int topLeft = 1; // the root
      int nestedLeft = 0;
      for (int i = 0; i < count; i++) {
        SchemaElement element = new SchemaElement();
        in.struct(element::read);
        if (i == 0) {
          topLeft = element.children;
        } else if (nestedLeft > 0) {
          nestedLeft += element.children - 1;
        } else if (topLeft-- > 0) {
          nestedLeft = element.children;
          if (element.children == 0 && element.repetition != 2) {
            optional.put(element.name, element.repetition == 1);
          }
        }
      }
    }

    private void readGroup() {
      Map<String, ColumnChunk> columns = new HashMap<>();
      long[] groupRows = new long[1];
      in.struct(
          (id, type) -> {
            if (id == 1 && type == ThriftReader.LIST) {
              int count = in.list();
              for (int i = 0; i < count; i++) {
                ColumnChunk.Reading column = new ColumnChunk.Reading(in, place);
                column.read();
                @Nullable String name = column.name();
                if (name != null) {
                  columns.put(name, column.chunk(end));
                }
              }
            } else if (id == 3 && type == ThriftReader.I64) {
              groupRows[0] = in.i64();
            } else {
              return false;
            }
            return true;
          });
      if (groupRows[0] < 0 || groupRows[0] > Integer.MAX_VALUE) {
        throw place.damaged("a row group of " + groupRows[0] + " rows");
      }
      groups.add(new Group((int) groupRows[0], columns));
    }

    private final class SchemaElement {
      private int repetition;
      private int children;
      private String name = "";

      boolean read(int id, int type) {
        if (id == 3 && type == ThriftReader.I32) {
          repetition = in.i32();
        } else if (id == 4 && type == ThriftReader.BINARY) {
          name = in.text();
        } else if (id == 5 && type == ThriftReader.I32) {
          children = in.i32();
          if (children < 0) {
            throw place.damaged("a group of " + children + " columns");
          }
        } else {
          return false;
        }
        return true;
      }
    }
  }
}
