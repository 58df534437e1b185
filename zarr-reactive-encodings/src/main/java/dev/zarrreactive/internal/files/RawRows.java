package dev.zarrreactive.internal.files;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.InvalidInputException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Rows of elements of one size, one after the other. */
final class RawRows extends RowCutter {
  private final ItemLayout layout;
  private final int rowBytes;
  private byte @Nullable [] row;
  private int filled;

  RawRows(Rows rows, ItemLayout layout) {
    super(rows);
    this.layout = layout;
    long bytes = (long) rows.elements() * layout.fileSize();
    if (bytes > Rows.LARGEST) {
      throw new InvalidInputException(
          "a row of " + rows.described() + " has " + bytes + " bytes in the body, too many");
    }
    this.rowBytes = (int) bytes;
  }

  @Override
  void accept(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      if (rowBytes == 0 || (rows.count() >= 0 && cut == rows.count())) {
        throw tooMany();
      } else if (row == null && bytes.remaining() >= rowBytes) {
        int number = bytes.remaining() / rowBytes;
        byte[] several = new byte[number * rowBytes];
        bytes.get(several);
        add(several, number);
      } else {
        byte[] part = row == null ? new byte[rowBytes] : row;
        int taken = Math.min(bytes.remaining(), rowBytes - filled);
        bytes.get(part, filled, taken);
        filled += taken;
        row = part;
        if (filled == rowBytes) {
          row = null;
          filled = 0;
          add(part, 1);
        }
      }
    }
  }

  private void add(byte[] file, int number) {
    add(NdArray.wrap(rows.dataType(), rows.shape(number), Bytes.wrap(layout.images(file))));
  }

  @Override
  void finish() {
    if (filled > 0) {
      throw new InvalidInputException(
          "the body ends after "
              + filled
              + " of the "
              + rowBytes
              + " bytes of row "
              + cut
              + " of "
              + rows.described());
    }
  }
}
