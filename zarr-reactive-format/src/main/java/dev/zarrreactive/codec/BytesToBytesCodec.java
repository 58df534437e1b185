package dev.zarrreactive.codec;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.spi.Spi;

/** A codec that encodes bytes as bytes, such as {@code zstd} or {@code crc32c}. */
@Spi
public non-sealed interface BytesToBytesCodec extends Codec {
  /**
   * Returns the size of encoded bytes, for every program that writes with this codec: a larger
   * stored chunk is refused before it is read.
   */
  SizeBound encodedSize(SizeBound decoded);

  /** Encodes bytes. The result may share memory with {@code decoded}. */
  Bytes encode(Bytes decoded);

  /**
   * Decodes bytes into memory from {@code target}, or returns a view of {@code encoded}.
   *
   * @throws dev.zarrreactive.error.CodecException if the bytes are damaged, have trailing bytes, or
   *     decode to another size than {@link DecodeTarget#size()}; checked before the declared size
   *     is allocated
   */
  Bytes decode(Bytes encoded, DecodeTarget target);
}
