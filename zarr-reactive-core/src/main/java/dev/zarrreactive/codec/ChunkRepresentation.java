package dev.zarrreactive.codec;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import java.math.BigInteger;

/** What a chunk is at one point of a codec chain. */
public record ChunkRepresentation(Shape shape, DataType dataType, FillValue fillValue) {
  /**
   * The size of the chunk's elements in bytes; {@link Long#MAX_VALUE} where it is more than that.
   */
  public long byteSize() {
    BigInteger size = shape.elementCount().multiply(BigInteger.valueOf(dataType.itemSize()));
    return size.bitLength() > 63 ? Long.MAX_VALUE : size.longValue();
  }
}
