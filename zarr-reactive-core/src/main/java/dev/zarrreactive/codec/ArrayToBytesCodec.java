package dev.zarrreactive.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.store.Bytes;

/** The one codec of a chain that turns a chunk into bytes, such as {@code bytes}. */
public non-sealed interface ArrayToBytesCodec extends Codec {
  /**
   * How many bytes {@link #encode} makes of such a chunk. Called when the array is opened.
   *
   * @throws dev.zarrreactive.error.MetadataException where the codec cannot take such a chunk
   */
  SizeBound encodedSize(ChunkRepresentation decoded);

  /**
   * Encodes a chunk.
   *
   * @param representation what the chunk is; its fill value says what need not be stored
   */
  Bytes encode(NdArray decoded, ChunkRepresentation representation);

  /**
   * Decodes a chunk. The result may share its memory with {@code encoded}.
   *
   * @throws dev.zarrreactive.error.CodecException where the bytes are not exactly such a chunk
   */
  NdArray decode(Bytes encoded, ChunkRepresentation decoded);

  /**
   * True where the encoded bytes of such a chunk are its elements' memory image: {@link
   * NdArray#bytes()}. A reader may then decode straight into its own memory.
   */
  default boolean isMemoryImage(ChunkRepresentation decoded) {
    return false;
  }
}
