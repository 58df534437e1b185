package dev.zarrreactive.codec;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.extension.NamedConfiguration;

/** What a chunk is at one point of a codec chain. */
public record ChunkRepresentation(Shape shape, DataType dataType, FillValue fillValue) {
  /**
   * The size of the chunk's elements in bytes, {@link Long#MAX_VALUE} where it is more than that; a
   * guess where they are of variable length.
   */
  public long byteSize() {
    long most = Long.MAX_VALUE / Math.max(1, dataType.memorySize());
    long count = shape.elementCountUpTo(most);
    return count == most ? Long.MAX_VALUE : count * dataType.memorySize();
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
    int most = Integer.MAX_VALUE - 8;
    long count = shape.elementCountUpTo(most + 1L);
    return count * (dataType instanceof VariableLengthType ? 1 : dataType.itemSize()) <= most;
  }
}
