package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * The codec {@code imagecodecs_lz4h5}: the filter LZ4 of HDF5 (32004). The decoded size in eight
 * bytes, that of a block in four, and before each block its size; all are big-endian. A block whose
 * size is that of its content is not compressed.
 */
final class Lz4OfHdf5Codec implements BytesToBytesCodec {
  private static final int HEADER_SIZE = Long.BYTES + Integer.BYTES;
  private static final int BLOCK_SIZE = 1 << 30;

  private final NamedConfiguration configuration;
  private final int blockSize;

  private Lz4OfHdf5Codec(NamedConfiguration configuration, int blockSize) {
    this.configuration = configuration;
    this.blockSize = blockSize;
  }

  static Lz4OfHdf5Codec of(NamedConfiguration use) {
    use.configuration().allowOnly("level", "blocksize");
    var size = use.configuration().nonNull("blocksize");
    int blockSize = size == null ? 0 : size.integer(0, BLOCK_SIZE);
    return new Lz4OfHdf5Codec(use, blockSize == 0 ? BLOCK_SIZE : blockSize);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return decoded.compressed();
  }

  @Override
  public Bytes encode(Bytes decoded) {
    int size = decoded.size();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int blocks = Math.max(1, Math.min(blockSize, size));
    out.writeBytes(ByteBuffer.allocate(HEADER_SIZE).putLong(size).putInt(blocks).array());
    for (int at = 0; at < size; at += blocks) {
      int length = Math.min(blocks, size - at);
      Bytes block = Lz4BlockCodec.compress(decoded, at, length);
      Bytes stored = block.size() < length ? block : decoded.slice(at, length);
      out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(stored.size()).array());
      out.write(stored.unsafeArray(), stored.unsafeOffset(), stored.size());
    }
    return Bytes.wrap(out.toByteArray());
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    if (encoded.size() < HEADER_SIZE) {
      throw Expansion.cutOff();
    }
    ByteBuffer in = ByteBuffer.wrap(encoded.unsafeArray(), encoded.unsafeOffset(), encoded.size());
    long size = in.getLong();
    long blocks = in.getInt() & 0xffff_ffffL;
    target.check(size);
    if (blocks == 0 && size > 0) {
      throw new CodecException("the data is damaged: blocks of 0 bytes", Location.UNKNOWN);
    }
    Expansion out = new Expansion(target, Math.min(size, 255L * encoded.size()));
    while (out.size() < size) {
      int length = (int) Math.min(blocks, size - out.size());
      if (in.remaining() < Integer.BYTES) {
        throw Expansion.cutOff();
      }
      int stored = in.getInt();
      int from = in.position() - encoded.unsafeOffset();
      if (stored < 0 || stored > in.remaining()) {
        throw Expansion.cutOff();
      } else if (stored == length) {
        out.put(encoded.unsafeArray(), in.position(), stored);
      } else if (length > 255L * stored) {
        throw new CodecException(
            "a block of " + stored + " bytes cannot decode to " + length, Location.UNKNOWN);
      } else {
        byte[] to = out.reserve(length);
        int decoded = Lz4BlockCodec.decompress(encoded, from, stored, to, out.size(), length);
        if (decoded != length) {
          throw new CodecException(
              "a block decodes to " + decoded + " bytes, and " + length + " were expected",
              Location.UNKNOWN);
        }
        out.advance(length);
      }
      in.position(in.position() + stored);
    }
    if (in.hasRemaining()) {
      throw new CodecException(in.remaining() + " bytes follow the data", Location.UNKNOWN);
    }
    return out.toBytes();
  }
}
