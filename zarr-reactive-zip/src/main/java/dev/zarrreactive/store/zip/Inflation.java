package dev.zarrreactive.store.zip;

import dev.zarrreactive.base.Bytes;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Inflates and checks whole values. */
final class Inflation {
  /** The JVM may hold off its garbage collector while one call runs. */
  private static final int WINDOW = 1 << 20;

  private Inflation() {}

  /** Exactly {@code size} bytes; allocates no more. */
  static Bytes inflate(Bytes deflated, int size) throws DataFormatException {
    byte[] inflated = new byte[size];
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(deflated.unsafeArray(), deflated.unsafeOffset(), deflated.size());
      int done = 0;
      while (done < size) {
        int more = inflater.inflate(inflated, done, Math.min(WINDOW, size - done));
        if (more == 0) {
          throw new DataFormatException("it ends after " + done + " of " + size + " bytes");
        }
        done += more;
      }
      if (!inflater.finished() && inflater.inflate(new byte[1]) > 0) {
        throw new DataFormatException("it has more than " + size + " bytes");
      }
      if (!inflater.finished() || inflater.getRemaining() > 0) {
        throw new DataFormatException("its end is not where it should be");
      }
      return Bytes.wrap(inflated);
    } finally {
      inflater.end();
    }
  }

  static int crc(Bytes value) {
    CRC32 crc = new CRC32();
    crc.update(value.unsafeArray(), value.unsafeOffset(), value.size());
    return (int) crc.getValue();
  }
}
