package dev.zarrreactive.encodings;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.internal.files.PngChunk;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Adler32;
import java.util.zip.Deflater;

/**
 * A PNG picture, part by part (ISO/IEC 15948). Each row has the filter "sub", which needs no other
 * row, so that a part may end anywhere. Each part is a run of deflate blocks that ends at a byte.
 * The parts together are one zlib stream (RFC 1950), and no deflater lives longer than a part.
 */
final class PngEncoder implements Encoder {
  /** The most bytes of samples that are compressed together. */
  private static final int PART_SIZE = 1 << 18;

  private static final byte[] ZLIB_HEADER = {0x78, (byte) 0x9c};
  private static final byte[] LAST_BLOCK = {3, 0};
  private static final byte SUB = 1;

  private final PngEncoding.Plane plane;
  private final PngSamples samples;
  private final Adler32 checksum = new Adler32();
  private final long rowSize;

  /** The samples of the pixel to the left, as a ring. */
  private final byte[] left;

  /** The place in the row of the next byte of a sample. */
  private long place;

  PngEncoder(PngEncoding.Plane plane, PngSamples samples) {
    this.plane = plane;
    this.samples = samples;
    this.left = new byte[plane.colours() * samples.size()];
    this.rowSize = plane.width() * left.length;
  }

  @Override
  public Bytes begin() {
    boolean hasAlpha = samples.hasAlpha() || plane.colours() == 4;
    boolean isColoured = samples.isColoured() || plane.colours() > 1;
    int colourType = (isColoured ? PngChunk.COLOUR : 0) + (hasAlpha ? PngChunk.ALPHA : 0);
    ByteBuffer header = ByteBuffer.allocate(13);
    header.putInt((int) plane.width()).putInt((int) plane.height());
    header.put((byte) samples.depth()).put((byte) colourType); // then zeros: the usual methods
    ByteArrayOutputStream begin = new ByteArrayOutputStream();
    begin.writeBytes(PngChunk.signature());
    begin.writeBytes(PngChunk.bytes("IHDR", header.array()));
    begin.writeBytes(PngChunk.bytes("IDAT", ZLIB_HEADER));
    return Bytes.wrap(begin.toByteArray());
  }

  @Override
  public Part encode(NdArray band, int from, int size) {
    int count = Math.min(PngSamples.count(band) - from, PART_SIZE / samples.size());
    byte[] values = new byte[count * samples.size()];
    samples.put(band, from, count, values);
    return new Part(compress(filter(values)), from + count);
  }

  /** Returns the differences to the pixels at the left, with the filter's name before each row. */
  private byte[] filter(byte[] values) {
    long rows = (place + values.length + rowSize - 1) / rowSize - (place == 0 ? 0 : 1);
    byte[] differences = new byte[Math.toIntExact(values.length + rows)];
    int at = 0;
    for (byte value : values) {
      if (place == 0) {
        differences[at++] = SUB;
        Arrays.fill(left, (byte) 0);
      }
      int sample = (int) (place % left.length);
      differences[at++] = (byte) (value - left[sample]);
      left[sample] = value;
      place = place + 1 == rowSize ? 0 : place + 1;
    }
    return differences;
  }

  private Bytes compress(byte[] filtered) {
    checksum.update(filtered);
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try {
      deflater.setInput(filtered);
      ByteArrayOutputStream blocks = new ByteArrayOutputStream(filtered.length / 2 + 64);
      byte[] buffer = new byte[1 << 13];
      int size;
      do {
        size = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
        blocks.write(buffer, 0, size);
      } while (size == buffer.length);
      return Bytes.wrap(PngChunk.bytes("IDAT", blocks.toByteArray()));
    } finally {
      deflater.end();
    }
  }

  @Override
  public Bytes end() {
    ByteBuffer rest = ByteBuffer.allocate(LAST_BLOCK.length + Integer.BYTES);
    rest.put(LAST_BLOCK).putInt((int) checksum.getValue());
    ByteArrayOutputStream end = new ByteArrayOutputStream();
    end.writeBytes(PngChunk.bytes("IDAT", rest.array()));
    end.writeBytes(PngChunk.bytes("IEND", new byte[0]));
    return Bytes.wrap(end.toByteArray());
  }
}
