package dev.zarrreactive.testing;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.nio.ByteOrder;

/** A format of elements of a fixed size behind a header of 128 bytes, as NumPy's files have. */
public record HeadedImages() implements Encoding {
  public static final int HEADER = 128;

  @Override
  public String mediaType() {
    return "application/octet-stream";
  }

  @Override
  public String fileSuffix() {
    return ".headed";
  }

  @Override
  public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
    Encoder images = Encoding.raw(ByteOrder.LITTLE_ENDIAN).encoder(array, selection);
    return new Encoder() {
      @Override
      public Bytes begin() {
        byte[] header = new byte[HEADER];
        for (int i = 0; i < HEADER; i++) {
          header[i] = (byte) (HEADER + i);
        }
        return Bytes.wrap(header);
      }

      @Override
      public Part encode(NdArray band, int from, int size) {
        return images.encode(band, from, size);
      }

      @Override
      public boolean isView() {
        return images.isView();
      }

      @Override
      public boolean isFixedSize() {
        return true;
      }
    };
  }
}
