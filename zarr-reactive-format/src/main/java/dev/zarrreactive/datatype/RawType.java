package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code r<N>}: opaque items of N bits.
 *
 * @param bits a positive multiple of 8
 */
public record RawType(int bits) implements DataType {
  /** Checks the number of bits. */
  public RawType {
    if (bits <= 0 || bits % Byte.SIZE != 0) {
      throw new IllegalArgumentException("r<N> needs a positive multiple of 8, not " + bits);
    }
  }

  @Override
  public String name() {
    return "r" + bits;
  }

  @Override
  public int itemSize() {
    return bits / Byte.SIZE;
  }

  @Override
  public List<Components> components() {
    return List.of(new Components(1, itemSize()));
  }

  /**
   * Reads an array with an integer from 0 to 255 for each byte, or base64, as some programs write
   * it.
   */
  @Override
  public FillValue parseFillValue(LocatedJson json) {
    // The image is allocated only after the document has shown as many bytes.
    if (json.value() instanceof JsonArray array && array.elements().size() == itemSize()) {
      byte[] image = new byte[itemSize()];
      List<LocatedJson> elements = json.elements();
      for (int i = 0; i < image.length; i++) {
        image[i] = (byte) elements.get(i).integer(0, 255);
      }
      return FillValue.of(this, image);
    }
    byte[] decoded = Images.ofBase64(json.value());
    if (decoded != null && decoded.length == itemSize()) {
      return FillValue.of(this, decoded);
    }
    throw json.expected(
        "a fill value of " + name() + ": an array of " + itemSize() + " integers from 0 to 255");
  }

  @Override
  public JsonValue toJson(byte[] image, int offset) {
    List<JsonValue> elements = new ArrayList<>(itemSize());
    for (int i = 0; i < itemSize(); i++) {
      elements.add(JsonNumber.of(image[offset + i] & 0xff));
    }
    return new JsonArray(elements);
  }

  @Override
  public String toString() {
    return name();
  }
}
