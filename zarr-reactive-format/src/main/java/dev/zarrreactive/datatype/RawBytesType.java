package dev.zarrreactive.datatype;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.Arrays;
import java.util.List;

/**
 * {@code raw_bytes}: opaque items, as {@link RawType}, under the name of zarr-python and
 * TensorStore.
 *
 * @param length the size of an item in bytes, at least 1
 */
public record RawBytesType(int length) implements DataType {
  static final String NAME = "raw_bytes";

  /** Checks the length. */
  public RawBytesType {
    if (length < 1) {
      throw new IllegalArgumentException(NAME + " has at least 1 byte, not " + length);
    }
  }

  static RawBytesType parse(NamedConfiguration use) {
    return new RawBytesType(LengthBytes.parse(use, Integer.MAX_VALUE));
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

  /** Reads base64 of exactly an item's bytes. */
  @Override
  public FillValue parseFillValue(LocatedJson json) {
    byte[] image = Images.ofBase64(json.value());
    if (image == null || image.length != length) {
      throw json.expected("a fill value of " + this + ": base64 of " + length + " bytes");
    }
    return FillValue.of(this, image);
  }

  @Override
  public JsonValue toJson(byte[] image, int offset) {
    return Images.toBase64(Arrays.copyOfRange(image, offset, offset + length));
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
