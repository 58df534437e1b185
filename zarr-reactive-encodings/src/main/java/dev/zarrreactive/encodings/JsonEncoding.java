package dev.zarrreactive.encodings;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.metadata.ArrayMetadata;

/** Elements as JSON. */
enum JsonEncoding implements Encoding {
  /** One element a line. */
  LINES("application/x-ndjson", ".jsonl") {
    @Override
    public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
      DataType type = array.dataType();
      return new TextEncoder() {
        @Override
        void append(NdArray band, int element, StringBuilder text) {
          text.append(text(withNat(type, band.toJson(element)))).append('\n');
        }
      };
    }
  },

  /** One document: lists in lists. */
  LISTS("application/json", ".json") {
    @Override
    public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
      return new Lists(array.dataType(), selection.shape());
    }
  };

  private final String mediaType;
  private final String fileSuffix;

  JsonEncoding(String mediaType, String fileSuffix) {
    this.mediaType = mediaType;
    this.fileSuffix = fileSuffix;
  }

  @Override
  public String mediaType() {
    return mediaType;
  }

  @Override
  public String fileSuffix() {
    return fileSuffix;
  }

  private static final class Lists extends TextEncoder {
    private final DataType type;
    private final boolean isEmpty;

    /** For each dimension, the number of elements in one of its lists. */
    private final long[] sizes;

    private long number;

    Lists(DataType type, Shape shape) {
      this.type = type;
      this.isEmpty = shape.isEmpty();
      this.sizes = new long[shape.rank()];
      long size = 1;
      for (int d = sizes.length - 1; d >= 0; d--) {
        long extent = shape.extent(d);
        size = extent > Long.MAX_VALUE / size ? Long.MAX_VALUE : Math.max(1, size * extent);
        sizes[d] = size;
      }
    }

    /** Counts the lists that begin or end before the element {@code at}. */
    private int lists(long at) {
      int lists = 0;
      while (lists < sizes.length && at % sizes[sizes.length - 1 - lists] == 0) {
        lists++;
      }
      return lists;
    }

    @Override
    public Bytes begin() {
      return Bytes.utf8(isEmpty ? "[]" : "");
    }

    @Override
    void append(NdArray band, int element, StringBuilder text) {
      text.append(number == 0 ? "" : ",").append("[".repeat(lists(number)));
      text.append(text(withNat(type, band.toJson(element))));
      number++;
      text.append("]".repeat(lists(number)));
    }

    @Override
    public Bytes end() {
      return Bytes.utf8("\n");
    }
  }
}
