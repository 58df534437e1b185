package dev.zarrreactive.arrow;

import dev.zarrreactive.arrow.ColumnKind.Values;
import dev.zarrreactive.dataset.DatasetBlock;
import dev.zarrreactive.internal.rows.RowPlaces;
import dev.zarrreactive.internal.rows.TableRows;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import reactor.core.publisher.Flux;

/** The batches of a block. */
final class BlockBatches {
  private final DatasetBlock block;
  private final TableRows rows;
  private final List<TableColumn> columns;
  private final Schema schema;
  private final int mostRows;
  private final long mostBytes;

  BlockBatches(
      DatasetBlock block,
      List<String> dimensions,
      List<TableColumn> columns,
      Schema schema,
      int mostRows,
      long mostBytes) {
    this.block = block;
    this.rows = TableRows.of(block, dimensions);
    this.columns = columns;
    this.schema = schema;
    this.mostRows = mostRows;
    this.mostBytes = mostBytes;
  }

  /** A column's values in the block, and where the rows find them. */
  private record Part(Values values, RowPlaces places) {}

  /** Returns the batches, each of which is made when it is demanded. */
  Flux<VectorSchemaRoot> roots(BufferAllocator allocator) {
    return rows.count() == 0
        ? Flux.empty()
        : Flux.generate(
            () -> new Cursor(parts()),
            (cursor, sink) -> {
              sink.next(cursor.next(allocator));
              if (cursor.from == rows.count()) {
                sink.complete();
              }
              return cursor;
            });
  }

  private List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    for (TableColumn column : columns) {
      parts.add(new Part(column.values(block, rows), rows.places(column.dimensions())));
    }
    return parts;
  }

  /** The rows that no batch has yet. */
  private final class Cursor {
    private final List<Part> parts;
    private long from;

    Cursor(List<Part> parts) {
      this.parts = parts;
    }

    VectorSchemaRoot next(BufferAllocator allocator) {
      int count = count();
      VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
      try {
        for (int c = 0; c < parts.size(); c++) {
          Part part = parts.get(c);
          part.values().fill(root.getVector(c), Places.ofRows(part.places(), from, count));
        }
        root.setRowCount(count);
      } catch (Throwable e) {
        root.close();
        throw e;
      }
      from += count;
      return root;
    }

    /** Returns the number of rows of the next batch, at least one. */
    private int count() {
      long fixed = columns.stream().mapToLong(column -> column.kind().width()).sum();
      int most = (int) Math.min(mostRows, rows.count() - from);
      long bytes = 0;
      for (int count = 0; count < most; count++) {
        bytes += fixed;
        for (Part part : parts) {
          bytes += part.values().extra(part.places().place(from + count));
        }
        if (bytes > mostBytes && count > 0) {
          return count;
        }
      }
      return most;
    }
  }
}
