package dev.zarrreactive.internal.files;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Rows of a NumPy file, whose header comes first. */
final class NpyRows extends RowCutter {
  private final ByteArrayOutputStream header = new ByteArrayOutputStream();
  private int size = -1; // of the header, once it is known
  private @Nullable RowCutter elements;

  NpyRows(Rows rows) {
    super(rows);
  }

  @Override
  void accept(ByteBuffer bytes) {
    while (elements == null && bytes.hasRemaining()) {
      int lacking = size < 0 ? 1 : size - header.size();
      for (int taken = Math.min(lacking, bytes.remaining()); taken > 0; taken--) {
        header.write(bytes.get());
      }
      size = size < 0 ? NpyHeader.sizeOf(header.toByteArray()) : size;
      if (header.size() == size) {
        elements = new RawRows(rows, check(NpyHeader.sent(header.toByteArray())));
      }
    }
    if (elements != null) {
      elements.take(bytes).forEach(this::add);
    }
  }

  private ItemLayout check(NpyHeader found) {
    Shape shape = found.shape();
    long any = shape.rank() == 0 ? 0 : shape.extent(0);
    Shape wanted = rows.shape(rows.count() < 0 ? any : rows.count());
    if (!shape.equals(wanted) || !found.layout().dataType().equals(rows.dataType())) {
      throw new InvalidInputException(
          "the NumPy file is of "
              + found.layout().dataType()
              + " and shape "
              + shape
              + ", and "
              + rows.described()
              + " is expected; the data type and the shape must be equal");
    } else if (found.isFortran() && shape.rank() > 1) {
      throw new InvalidInputException(
          "the NumPy file is in Fortran order, whose rows do not follow one another; send"
              + " numpy.ascontiguousarray(values)");
    }
    return found.layout();
  }

  @Override
  void finish() {
    if (elements == null) {
      throw new InvalidInputException("the NumPy file ends in its header");
    }
    elements.end().forEach(this::add);
  }
}
