package dev.zarrreactive.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.spi.Spi;

/** A codec that encodes a chunk as bytes, such as {@code bytes}. A chain has exactly one. */
@Spi
public non-sealed interface ArrayToBytesCodec extends Codec {
  /**
   * Returns the size of an encoded chunk. Called when the array is opened.
   *
   * @throws dev.zarrreactive.error.MetadataException if the codec does not support the chunk
   */
  SizeBound encodedSize(ChunkRepresentation decoded);

  /**
   * Encodes a chunk.
   *
   * @param representation the chunk's shape, data type and fill value; a codec may leave out fill
   *     values
   */
  Bytes encode(NdArray decoded, ChunkRepresentation representation);

  /**
   * Decodes a chunk. The result may share its memory with {@code encoded}.
   *
   * @throws dev.zarrreactive.error.CodecException if the bytes are not exactly one chunk of this
   *     representation
   */
  NdArray decode(Bytes encoded, ChunkRepresentation decoded);

  /**
   * Returns true if the encoded bytes of a chunk equal {@link NdArray#bytes()}. A reader may then
   * decode into its own memory without a copy.
   */
  default boolean isMemoryImage(ChunkRepresentation decoded) {
    return false;
  }
}
