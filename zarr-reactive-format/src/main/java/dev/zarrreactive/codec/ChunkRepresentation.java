package dev.zarrreactive.codec;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.OptionalType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.spi.Spi;

/** The shape, data type and fill value of a chunk at one point of a codec chain. */
@Spi
public record ChunkRepresentation(Shape shape, DataType dataType, FillValue fillValue) {
  /**
   * The size of the chunk's elements in bytes, at most {@link Long#MAX_VALUE}. For elements of
   * variable length it is an estimate.
   */
  public long byteSize() {
    long most = Long.MAX_VALUE / Math.max(1, dataType.memorySize());
    long count = shape.elementCountUpTo(most);
    return count == most ? Long.MAX_VALUE : count * dataType.memorySize();
  }

  /**
   * Checks that the elements are there and of fixed length, so that images are all of them.
   *
   * @throws dev.zarrreactive.error.MetadataException if they are optional or of variable length
   */
  public void requireImages(NamedConfiguration codec) {
    if (dataType instanceof OptionalType) {
      throw codec.error(
          "the codec " + codec.name() + " does not support " + dataType + "; zarrs.optional does");
    } else if (dataType instanceof VariableLengthType) {
      throw codec.error(
          "the codec "
              + codec.name()
              + " does not support the data type "
              + dataType
              + ", whose elements are of variable length");
    }
  }

  /** Returns true if the chunk's elements fit into one Java array. */
  public boolean fitsOneArray() {
    int most = Bytes.MAX_SIZE;
    long count = shape.elementCountUpTo(most + 1L);
    return count * ElementMemory.slotsPerElement(dataType) <= most;
  }
}
