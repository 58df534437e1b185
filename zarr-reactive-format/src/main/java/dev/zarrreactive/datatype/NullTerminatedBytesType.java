package dev.zarrreactive.datatype;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.Arrays;
import java.util.List;

/**
 * {@code null_terminated_bytes}: byte strings, padded with zeros to one length. It is zarr-python's
 * name for NumPy's {@code S<n>}.
 *
 * @param length the size of an item in bytes: from 1 to 16 MiB
 */
public record NullTerminatedBytesType(int length) implements DataType {
  static final String NAME = "null_terminated_bytes";

  /** Checks the length. */
  public NullTerminatedBytesType {
    if (length < 1 || length > LengthBytes.LONGEST_PADDED) {
      throw new IllegalArgumentException(
          NAME + " has 1 to " + LengthBytes.LONGEST_PADDED + " bytes, not " + length);
    }
  }

  static NullTerminatedBytesType parse(NamedConfiguration use) {
    return new NullTerminatedBytesType(LengthBytes.parse(use, LengthBytes.LONGEST_PADDED));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int itemSize() {
    return length;
  }

  @Override
  public List<Components> components() {
    return List.of(new Components(1, length));
  }

  /** Reads base64 of bytes that fit into an item. */
  @Override
  public FillValue parseFillValue(LocatedJson json) {
    byte[] value = Images.ofBase64(json.value());
    if (value == null || value.length > length) {
      throw json.expected("a fill value of " + this + ": base64 of at most " + length + " bytes");
    }
    return FillValue.of(this, Arrays.copyOf(value, length));
  }

  /** Returns the number of bytes of the item at {@code offset} without its padding. */
  public int valueLength(byte[] image, int offset) {
    int end = offset + length;
    while (end > offset && image[end - 1] == 0) {
      end--;
    }
    return end - offset;
  }

  @Override
  public JsonValue toJson(byte[] image, int offset) {
    int end = offset + valueLength(image, offset);
    return Images.toBase64(Arrays.copyOfRange(image, offset, end));
  }

  @Override
  public JsonObject toMetadata() {
    return LengthBytes.toMetadata(NAME, length);
  }

  @Override
  public String toString() {
    return LengthBytes.toString(NAME, length);
  }
}
