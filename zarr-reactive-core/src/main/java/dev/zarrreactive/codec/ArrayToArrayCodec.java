package dev.zarrreactive.codec;

import dev.zarrreactive.array.NdArray;

/** A codec that turns a chunk into another chunk, such as {@code transpose}. */
public non-sealed interface ArrayToArrayCodec extends Codec {
  /**
   * The shape, data type and fill value of what {@link #encode} makes of such a chunk. Called when
   * the array is opened.
   *
   * @throws dev.zarrreactive.error.MetadataException where the codec cannot take such a chunk
   */
  ChunkRepresentation encodedRepresentation(ChunkRepresentation decoded);

  /** Encodes a chunk. */
  NdArray encode(NdArray decoded);

  /**
   * Decodes a chunk.
   *
   * @param encoded a chunk of the encoded representation
   * @param decoded the representation of the result
   */
  NdArray decode(NdArray encoded, ChunkRepresentation decoded);
}
