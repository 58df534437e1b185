package dev.zarrreactive.codec;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.extension.NamedConfiguration;
import java.math.BigInteger;

/** What a chunk is at one point of a codec chain. */
public record ChunkRepresentation(Shape shape, DataType dataType, FillValue fillValue) {
  /**
   * The size of the chunk's elements in bytes, {@link Long#MAX_VALUE} where it is more than that; a
   * guess where they are of variable length.
   */
  public long byteSize() {
    BigInteger size = shape.elementCount().multiply(BigInteger.valueOf(dataType.memorySize()));
    return size.bitLength() > 63 ? Long.MAX_VALUE : size.longValue();
  }

  /**
   * Checks that the elements have images.
   *
   * @throws dev.zarrreactive.error.MetadataException where they are of variable length, which
   *     {@code codec} cannot take
   */
  public void requireImages(NamedConfiguration codec) {
    if (dataType instanceof VariableLengthType) {
      throw codec.error(
          "the codec "
              + codec.name()
              + " is not for the data type "
              + dataType
              + ", whose elements are of any length");
    }
  }

  /** True where the chunk's elements fit into one Java array. */
  public boolean fitsOneArray() {
    BigInteger slots = shape.elementCount();
    if (!(dataType instanceof VariableLengthType)) {
      slots = slots.multiply(BigInteger.valueOf(dataType.itemSize()));
    }
    return slots.compareTo(BigInteger.valueOf(Integer.MAX_VALUE - 8)) <= 0;
  }
}
