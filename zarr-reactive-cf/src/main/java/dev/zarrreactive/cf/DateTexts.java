package dev.zarrreactive.cf;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Decodes dates to texts: a block is decoded to counts, which stay in the processor's cache.
 *
 * @param storedSize the bytes of a stored element
 * @param counts decodes the counts
 * @param times says their texts
 */
record DateTexts(int storedSize, ElementConversion counts, TimeCoding times)
    implements ElementConversion {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  @Override
  public DataType target() {
    return DataTypes.STRING;
  }

  @Override
  public void convert(byte[] source, int at, int count, ElementMemory result, int first) {
    Object[] texts = (Object[]) result.array();
    byte[] block = new byte[Math.min(count, NumberDecoding.BLOCK) * Long.BYTES];
    ElementMemory decoded =
        ElementMemory.wrap(counts.target(), block, 0, block.length / Long.BYTES);
    for (int done = 0; done < count; done += NumberDecoding.BLOCK) {
      int size = Math.min(NumberDecoding.BLOCK, count - done);
      counts.convert(source, at + done * storedSize, size, decoded, 0);
      for (int i = 0; i < size; i++) {
        texts[result.slot(first + done + i)] = times.text((long) LONGS.get(block, i * Long.BYTES));
      }
    }
  }
}
