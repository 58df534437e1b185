package dev.zarrreactive.cf;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;

/**
 * Decodes numbers of an unusual type, such as {@code int4} and {@code bfloat16}: the numbers of a
 * block become usual ones, which stay in the processor's cache.
 *
 * @param stored the type of the stored elements
 * @param next decodes the usual numbers
 */
record UnusualNumbers(DataType stored, ElementConversion next) implements ElementConversion {
  @Override
  public DataType target() {
    return next.target();
  }

  @Override
  public void convert(byte[] source, int at, int count, ElementMemory result, int first) {
    int itemSize = stored.itemSize();
    for (int done = 0; done < count; done += NumberDecoding.BLOCK) {
      int size = Math.min(NumberDecoding.BLOCK, count - done);
      Bytes images = Bytes.wrap(source, at + done * itemSize, size * itemSize);
      NdArray block = NdArray.wrap(stored, Shape.of(size), images);
      ElementMemory usual = ElementMemory.of(block.cast(CfRules.usualType(stored)));
      next.convert((byte[]) usual.array(), usual.slot(0), size, result, first + done);
    }
  }
}
