package dev.zarrreactive.codec;

import dev.zarrreactive.store.Bytes;

/** A codec that turns bytes into bytes, such as {@code zstd} or {@code crc32c}. */
public non-sealed interface BytesToBytesCodec extends Codec {
  /**
   * Returns the bytes that {@link #encode} makes of a number of bytes, here and in every other
   * program that writes with this codec: a stored chunk of more bytes is refused before it is read.
   */
  SizeBound encodedSize(SizeBound decoded);

  /** Encodes bytes. The result may share memory with {@code decoded}. */
  Bytes encode(Bytes decoded);

  /**
   * Decodes bytes into memory from {@code target}, or, where nothing needs to be copied, into a
   * part of {@code encoded}.
   *
   * @throws dev.zarrreactive.error.CodecException where the bytes are damaged, something follows
   *     them, or they decode to another size than {@link DecodeTarget#size()} says; found out
   *     without allocating what hostile bytes declare
   */
  Bytes decode(Bytes encoded, DecodeTarget target);
}
