package dev.zarrreactive.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.spi.Spi;

/** A codec that encodes a chunk as another chunk, such as {@code transpose}. */
@Spi
public non-sealed interface ArrayToArrayCodec extends Codec {
  /**
   * Returns the shape, data type and fill value of an encoded chunk. Called when the array is
   * opened.
   *
   * @throws dev.zarrreactive.error.MetadataException if the codec does not support the chunk
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
