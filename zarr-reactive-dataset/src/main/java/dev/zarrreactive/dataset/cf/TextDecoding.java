package dev.zarrreactive.dataset.cf;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.store.Bytes;
import java.nio.charset.Charset;
import java.util.Arrays;

/**
 * Decodes bytes to texts.
 *
 * @param charset the encoding; malformed bytes become U+FFFD
 * @param joins true if the last dimension has the characters of one text
 */
record TextDecoding(Charset charset, boolean joins) {
  /** Returns the shape of the texts. */
  Shape shape(Shape stored) {
    return joins ? Shape.of(Arrays.copyOf(stored.toArray(), stored.rank() - 1)) : stored;
  }

  NdArray decode(NdArray stored) {
    Shape shape = shape(stored.shape());
    int length = joins ? Math.toIntExact(stored.shape().extent(stored.shape().rank() - 1)) : 1;
    int itemSize = stored.dataType().itemSize();
    Bytes images = stored.bytes();
    int size = length * itemSize;
    String[] texts = new String[Math.toIntExact(shape.elementCountUpTo(Integer.MAX_VALUE))];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = text(images.slice(i * size, size).toByteArray());
    }
    return NdArray.ofStrings(DataTypes.STRING, shape, texts);
  }

  /** Returns the text before the padding of zeros. */
  private String text(byte... bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return new String(bytes, 0, end, charset);
  }
}
