package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.store.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Reads the container .xz (format version 1.2): streams, their blocks and their indexes, all of it
 * checked. The library's own reader takes as much memory as a block's header asks for; here the
 * dictionary is no larger than what may come out.
 */
final class XzSource implements Draining.Source {
  private static final Bytes MAGIC = Bytes.wrap(new byte[] {(byte) 0xfd, '7', 'z', 'X', 'Z', 0});
  private static final Bytes FOOTER_MAGIC = Bytes.wrap(new byte[] {'Y', 'Z'});
  private static final int FLAGS_SIZE = 2;
  private static final int COMPRESSED_SIZE_FLAG = 0x40;
  private static final int SIZE_FLAG = 0x80;
  private static final int RESERVED_FLAGS = 0x3c;
  private static final long NOT_SAID = -1;

  /** What the index says of a block. */
  private record BlockSize(long unpadded, long decoded) {}

  private final LzmaInput in;
  private final List<BlockSize> blocks = new ArrayList<>();
  private boolean inStream;
  private Bytes flags = Bytes.EMPTY;
  private int blockStart;
  private int dataStart;
  private long declaredCompressed;
  private long declaredSize;
  private long size;
  private XzCheck check = XzCheck.of(XzCheck.NONE);
  private @Nullable InputStream block;

  XzSource(LzmaInput in) {
    this.in = in;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    while (true) {
      if (block == null && !nextBlock()) {
        return -1;
      }
      int read = block == null ? -1 : block.read(to, offset, length);
      if (read > 0) {
        check.update(to, offset, read);
        size += read;
        return read;
      }
      endBlock();
    }
  }

  /** Returns false behind the last stream. */
  private boolean nextBlock() throws IOException {
    while (true) {
      if (!inStream) {
        if (in.available() == 0 && in.position() > 0) {
          return false;
        }
        streamHeader();
      }
      blockStart = in.position();
      int headerSize = in.next(1).get(0) & 0xff;
      if (headerSize != 0) {
        blockHeader(4 * (headerSize + 1));
        return true;
      }
      index();
      footer();
    }
  }

  private void streamHeader() throws IOException {
    if (!in.next(MAGIC.size()).equals(MAGIC)) {
      throw new IOException("no xz stream begins here");
    }
    flags = in.next(FLAGS_SIZE);
    checkSum(flags);
    if (flags.get(0) != 0 || (flags.get(1) & 0xf0) != 0) {
      throw new IOException("reserved flags of the stream are set");
    }
    blocks.clear();
    inStream = true;
  }

  private void checkSum(Bytes bytes) throws IOException {
    int stored = in.next(Integer.BYTES).getInt(0);
    if (crc32(bytes) != stored) {
      throw new ChecksumMismatchException(
          "a checksum of the xz container does not match", Location.UNKNOWN);
    }
  }

  private static int crc32(Bytes bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes.unsafeArray(), bytes.unsafeOffset(), bytes.size());
    return (int) crc.getValue();
  }

  private void blockHeader(int headerSize) throws IOException {
    in.next(headerSize - 1 - Integer.BYTES);
    int end = in.position();
    checkSum(in.since(blockStart));
    dataStart = in.position();
    Bytes header = in.since(blockStart).slice(1, end - blockStart - 1);
    int blockFlags = header.get(0) & 0xff;
    if ((blockFlags & RESERVED_FLAGS) != 0) {
      throw new IOException("reserved flags of a block are set");
    }
    Numbers numbers = new Numbers(header, 1);
    declaredCompressed = (blockFlags & COMPRESSED_SIZE_FLAG) == 0 ? NOT_SAID : numbers.next();
    declaredSize = (blockFlags & SIZE_FLAG) == 0 ? NOT_SAID : numbers.next();
    int count = (blockFlags & 3) + 1;
    long[] ids = new long[count];
    int[] properties = new int[count];
    for (int i = 0; i < count; i++) {
      ids[i] = numbers.next();
      properties[i] = properties(ids[i], numbers);
    }
    numbers.zerosToEnd();
    if (ids[count - 1] != LzmaFilter.LZMA2) {
      throw new IOException("the last filter of a block is not LZMA2");
    }
    InputStream stream = LzmaLibrary.lzma2(in, dictionary(properties[count - 1]));
    for (int i = count - 2; i >= 0; i--) {
      stream = LzmaLibrary.undo(ids[i], properties[i] + 1, stream);
    }
    check = XzCheck.of(flags.get(1));
    size = 0;
    block = stream;
  }

  /** Of LZMA2 and delta one byte; of the others an offset, which nobody uses. */
  private static int properties(long id, Numbers numbers) throws IOException {
    long length = numbers.next();
    boolean one = id == LzmaFilter.LZMA2 || id == LzmaFilter.DELTA;
    if (length != (one ? 1 : 0)) {
      throw new IOException("filter " + id + " has " + length + " bytes of properties");
    }
    return one ? numbers.octet() : 0;
  }

  private static long dictionary(int bits) throws IOException {
    if (bits > 40) {
      throw new IOException("no dictionary has the size " + bits);
    }
    return bits == 40 ? 0xffff_ffffL : (2L | (bits & 1)) << (bits / 2 + 11);
  }

  private void endBlock() throws IOException {
    block = null;
    int compressed = in.position() - dataStart;
    if ((declaredCompressed != NOT_SAID && declaredCompressed != compressed)
        || (declaredSize != NOT_SAID && declaredSize != size)) {
      throw new IOException("a block has another size than its header says");
    }
    skipPadding(compressed);
    int unpadded = dataStart - blockStart + compressed + check.size();
    if (!in.next(check.size()).equals(check.finish())) {
      throw new ChecksumMismatchException(
          "the check of a block does not match its content", Location.UNKNOWN);
    }
    blocks.add(new BlockSize(unpadded, size));
  }

  /** Skips zeros behind {@code length} bytes, up to a multiple of 4. */
  private void skipPadding(int length) throws IOException {
    Bytes padding = in.next(-length & 3);
    for (int i = 0; i < padding.size(); i++) {
      if (padding.get(i) != 0) {
        throw new IOException("padding is not zero");
      }
    }
  }

  private void index() throws IOException {
    Numbers numbers = new Numbers(in);
    boolean same = numbers.next() == blocks.size();
    for (int i = 0; same && i < blocks.size(); i++) {
      same = new BlockSize(numbers.next(), numbers.next()).equals(blocks.get(i));
    }
    if (!same) {
      throw new IOException("the index does not match the blocks");
    }
    skipPadding(in.position() - blockStart);
    checkSum(in.since(blockStart));
  }

  private void footer() throws IOException {
    long indexSize = (long) in.position() - blockStart;
    int stored = in.next(Integer.BYTES).getInt(0);
    Bytes footer = in.next(Integer.BYTES + FLAGS_SIZE);
    if (stored != crc32(footer)
        || ((footer.getInt(0) & 0xffff_ffffL) + 1) * 4 != indexSize
        || !footer.slice(Integer.BYTES, FLAGS_SIZE).equals(flags)
        || !in.next(FOOTER_MAGIC.size()).equals(FOOTER_MAGIC)) {
      throw new IOException("the end of the stream does not match its start and index");
    }
    inStream = false;
  }

  /** The numbers of the format: seven bits a byte, the lowest first, the last without a top bit. */
  private static final class Numbers {
    private static final int MOST_BYTES = 9;

    private final LzmaInput from;

    Numbers(LzmaInput from) {
      this.from = from;
    }

    Numbers(Bytes header, int start) {
      this(new LzmaInput(header.slice(start, header.size() - start), SizeBound.exactly(0)));
    }

    int octet() throws IOException {
      return from.next(1).get(0) & 0xff;
    }

    long next() throws IOException {
      long number = 0;
      for (int i = 0; i < MOST_BYTES; i++) {
        int octet = octet();
        number |= (octet & 0x7fL) << (7 * i);
        if (octet < 0x80) {
          if (octet == 0 && i > 0) {
            break;
          }
          return number;
        }
      }
      throw new IOException("a number is not as the format has it");
    }

    void zerosToEnd() throws IOException {
      while (from.available() > 0) {
        if (octet() != 0) {
          throw new IOException("padding is not zero");
        }
      }
    }
  }
}
