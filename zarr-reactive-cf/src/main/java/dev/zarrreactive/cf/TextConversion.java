package dev.zarrreactive.cf;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.nio.charset.Charset;
import java.util.OptionalInt;

/**
 * Decodes bytes to texts.
 *
 * @param charset the encoding; malformed bytes become U+FFFD
 * @param itemSize the bytes of a stored element
 * @param joined the extent of the dimension that has the characters of one text; empty for none
 */
record TextConversion(Charset charset, int itemSize, OptionalInt joined)
    implements ElementConversion {
  @Override
  public DataType target() {
    return DataTypes.STRING;
  }

  @Override
  public void convert(byte[] source, int at, int count, ElementMemory result, int first) {
    Object[] texts = (Object[]) result.array();
    int size = joined.orElse(1) * itemSize;
    for (int i = 0; i < count; i++) {
      texts[result.slot(first + i)] = text(source, at + i * size, size);
    }
  }

  /** Returns the text before the padding of zeros. */
  private String text(byte[] source, int at, int size) {
    int length = size;
    while (length > 0 && source[at + length - 1] == 0) {
      length--;
    }
    return new String(source, at, length, charset);
  }
}
