package dev.zarrreactive.internal.codec.compression;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.codec.WholeBufferInflater.Inflated;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decodes one or more gzip members. Bytes behind the last one are an error, zeros too. Decoding
 * stops as soon as the result exceeds its bound.
 */
final class GzipDecoder {
  /**
   * The most bytes that one native call writes: on older Java versions the call holds off the
   * garbage collector.
   */
  private static final int WINDOW = 1 << 20;

  /** The most bytes that deflate makes of one byte: 258 bytes take 2 bits. */
  private static final int MOST_EXPANSION = 1032;

  /** The size of the checksum and the size behind the content of a member. */
  static final int TRAILER_SIZE = 8;

  private final byte[] array;
  private final int start;
  private final int end;
  private final SizeBound bound;
  private final OutputBuffer out;
  private final Inflater inflater;
  private int position;

  private GzipDecoder(Bytes encoded, SizeBound bound, OutputBuffer out, Inflater inflater) {
    this.array = encoded.unsafeArray();
    this.start = encoded.unsafeOffset();
    this.end = start + encoded.size();
    this.bound = bound;
    this.out = out;
    this.inflater = inflater;
    this.position = start;
  }

  static Bytes decode(Bytes encoded, DecodeTarget target, Inflater inflater) {
    SizeBound bound = target.size();
    long most = (long) MOST_EXPANSION * encoded.size();
    if (!bound.exact()) {
      OutputBuffer out = OutputBuffer.of(2L * encoded.size(), Math.min(bound.bytes(), most));
      new GzipDecoder(encoded, bound, out, inflater).members();
      DecodeTarget.Region region = target.allocate(out.size());
      out.copyTo(region);
      return region.toBytes();
    }
    if (bound.bytes() > most) {
      throw new CodecException(
          encoded.size() + " bytes cannot decode to the expected " + bound, Location.UNKNOWN);
    }
    DecodeTarget.Region region = target.allocate(bound.bytes());
    OutputBuffer out = OutputBuffer.over(region);
    new GzipDecoder(encoded, bound, out, inflater).members();
    target.check(out.size());
    return region.toBytes();
  }

  private void members() {
    do {
      member();
    } while (position < end);
  }

  private void member() {
    int memberStart = position;
    try {
      position = GzipHeader.skip(array, memberStart, end);
      if (memberStart == start && bound.exact() && inflateWhole()) {
        return;
      }
      int before = out.size();
      int checksum = inflate();
      checkTrailer(checksum, out.size() - before);
    } catch (DataFormatException e) {
      throw new CodecException(
          "in the member at byte " + (memberStart - start) + ": " + e.getMessage(),
          Location.UNKNOWN,
          e);
    }
  }

  /**
   * Decompresses the first member by one call, if that is possible. The others are the JDK's: a
   * call may copy all bytes that follow, and there may be a million members.
   */
  private boolean inflateWhole() {
    Optional<Inflated> inflated =
        FastInflate.gzip(array, position, end - position, out.array(), out.position(), out.room());
    inflated.ifPresent(
        extent -> {
          position += extent.consumed();
          out.advance(extent.written());
        });
    return inflated.isPresent();
  }

  /** Decompresses one member with the JDK, and returns the CRC-32 of its content. */
  private int inflate() throws DataFormatException {
    inflater.reset();
    inflater.setInput(array, position, end - position);
    CRC32 crc = new CRC32();
    while (!inflater.finished()) {
      int room = Math.min(out.room(), WINDOW);
      byte[] to =
          room == 0 ? new byte[1] : out.array(); // at the bound, one byte more proves the excess
      int offset = room == 0 ? 0 : out.position();
      int length = inflater.inflate(to, offset, Math.max(1, room));
      if (length > room) {
        throw new CodecException("decodes to more than the expected " + bound, Location.UNKNOWN);
      }
      crc.update(to, offset, length);
      out.advance(length);
      if (length == 0 && !inflater.finished()) {
        throw new DataFormatException("the data is cut off");
      }
    }
    position = end - inflater.getRemaining();
    return (int) crc.getValue();
  }

  private void checkTrailer(int checksum, int size) throws DataFormatException {
    if (end - position < TRAILER_SIZE) {
      throw new DataFormatException("the checksum and the size at its end are cut off");
    }
    Bytes trailer = Bytes.wrap(array, position, TRAILER_SIZE);
    position += TRAILER_SIZE;
    if (trailer.getInt(0) != checksum) {
      throw new ChecksumMismatchException(
          String.format(
              Locale.ROOT,
              "the stored checksum is %08x, that of the %d bytes is %08x",
              trailer.getInt(0),
              size,
              checksum),
          Location.UNKNOWN);
    }
    if (trailer.getInt(4) != size) {
      throw new DataFormatException(
          "its end declares "
              + Integer.toUnsignedString(trailer.getInt(4))
              + " bytes, it has "
              + size);
    }
  }
}
