package dev.zarrreactive.internal.icechunk;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import dev.zarrreactive.base.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Makes a file of a repository of version 2: a header of 39 bytes, and the payload under zstd. */
final class SealedFile {
  private static final String MAGIC = "ICE🧊CHUNK";
  private static final String WRITER = "zarr-reactive";
  private static final int WRITER_AT = 12;
  private static final int VERSION_AT = 36;
  private static final int SPEC_VERSION = 2;
  private static final int ZSTD = 1;
  private static final int LEVEL = 3;

  private SealedFile() {}

  static Bytes of(FileType type, Bytes payload) {
    byte[] file = new byte[(int) Math.min(Bytes.MAX_SIZE, most(payload.size()))];
    byte[] magic = MAGIC.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(magic, 0, file, 0, magic.length);
    Arrays.fill(file, WRITER_AT, VERSION_AT, (byte) ' ');
    byte[] writer = WRITER.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(writer, 0, file, WRITER_AT, writer.length);
    file[VERSION_AT] = SPEC_VERSION;
    file[VERSION_AT + 1] = (byte) type.number();
    file[VERSION_AT + 2] = ZSTD;
    int length;
    try (ZstdCompressCtx context = new ZstdCompressCtx().setLevel(LEVEL).setContentSize(true)) {
      length =
          context.compressByteArray(
              file,
              FileEnvelope.HEADER,
              file.length - FileEnvelope.HEADER,
              payload.unsafeArray(),
              payload.unsafeOffset(),
              payload.size());
    }
    return Bytes.wrap(Arrays.copyOf(file, FileEnvelope.HEADER + length));
  }

  private static long most(int size) {
    return FileEnvelope.HEADER + Zstd.compressBound(size);
  }
}
