package dev.zarrreactive.internal.codec.vlen;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.Components;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.NumpyTypeName;
import dev.zarrreactive.json.LocatedJson;

/** The codecs {@code vlen-array} and {@code vlen-ndarray}, in the layout of byte strings. */
final class VlenLists {
  static final String NAME = "numcodecs.vlen-array";
  static final String ARRAYS = "vlen-ndarray";

  private VlenLists() {}

  static VlenCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("dtype");
    LocatedJson dtype = use.member("dtype");
    DataType items = NumpyTypeName.parse(dtype).type();
    boolean bigEndian = dtype.string().startsWith(">");
    return new VlenCodec(
        use,
        new VlenCodec.Element(
            type -> type.equals(new ListType(items)),
            list -> inOrder((Bytes) list, items, bigEndian),
            bytes -> inOrder(bytes, items, bigEndian)));
  }

  /** Creates the codec {@code vlen-ndarray}: arrays in the layout of byte strings. */
  static VlenCodec arrays(NamedConfiguration use) {
    use.configuration().allowOnly();
    return new VlenCodec(
        use,
        new VlenCodec.Element(
            type -> type instanceof ListType,
            array -> (Bytes) array,
            bytes -> Bytes.wrap(bytes.toByteArray())));
  }

  /**
   * Returns the items in little-endian order: a copy with swapped bytes if they are stored as
   * big-endian.
   */
  private static Bytes inOrder(Bytes items, DataType type, boolean bigEndian) {
    byte[] copy = items.toByteArray();
    for (int at = 0; bigEndian && at < copy.length; at += type.itemSize()) {
      int offset = at;
      for (Components components : type.components()) {
        components.swap(copy, offset);
        offset += components.byteSize();
      }
    }
    return Bytes.wrap(copy);
  }
}
