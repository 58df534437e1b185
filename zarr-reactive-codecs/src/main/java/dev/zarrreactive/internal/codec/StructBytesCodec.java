package dev.zarrreactive.internal.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.Components;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.List;

/**
 * The {@code bytes} codec for structs of Zarr v2 whose fields have different byte orders, which
 * Zarr v3 cannot express. Fields are little-endian unless {@code big_endian} lists them: for each
 * run of components the offset in an item, the size of a component and their number. Only this
 * library creates the codec: its name stands in no document.
 */
final class StructBytesCodec implements ArrayToBytesCodec {
  static final String NAME = "v2.struct_bytes";

  private final NamedConfiguration configuration;
  private final List<Run> bigEndian = new ArrayList<>();

  private record Run(int offset, Components components) {
    long end() {
      return offset + (long) components.size() * components.count();
    }
  }

  private StructBytesCodec(NamedConfiguration configuration) {
    this.configuration = configuration;
    configuration.configuration().allowOnly("big_endian");
    for (LocatedJson run : configuration.member("big_endian").elements()) {
      List<LocatedJson> parts = run.elements();
      if (parts.size() != 3) {
        throw run.expected("an offset, a size and a number");
      }
      int size = parts.get(1).integer(2, 8);
      if (Integer.bitCount(size) != 1) {
        throw parts.get(1).expected("2, 4 or 8");
      }
      int offset = parts.get(0).integer(0, Integer.MAX_VALUE);
      bigEndian.add(
          new Run(offset, new Components(size, parts.get(2).integer(1, Integer.MAX_VALUE))));
    }
  }

  static StructBytesCodec of(NamedConfiguration use) {
    return new StructBytesCodec(use);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(ChunkRepresentation decoded) {
    decoded.requireImages(configuration);
    int itemSize = decoded.dataType().itemSize();
    for (Run run : bigEndian) {
      if (run.end() > itemSize) {
        throw configuration.error(
            "components at " + run.offset() + " do not lie in an item of " + itemSize + " bytes");
      }
    }
    return SizeBound.exactly(decoded.byteSize());
  }

  @Override
  public Bytes encode(NdArray decoded, ChunkRepresentation representation) {
    return swapped(decoded.bytes(), decoded.dataType().itemSize());
  }

  @Override
  public NdArray decode(Bytes encoded, ChunkRepresentation decoded) {
    int itemSize = decoded.dataType().itemSize();
    int size = decoded.shape().byteSize(itemSize);
    if (encoded.size() != size) {
      throw new CodecException(
          "expected %s bytes for %s of shape %s, found %s"
              .formatted(size, decoded.dataType(), decoded.shape(), encoded.size()),
          Location.UNKNOWN);
    }
    return NdArray.wrap(decoded.dataType(), decoded.shape(), swapped(encoded, itemSize));
  }

  /** Swaps a copy of the items; a swap undoes itself. */
  private Bytes swapped(Bytes items, int itemSize) {
    byte[] bytes = items.toByteArray();
    for (int item = 0; item < bytes.length; item += itemSize) {
      for (Run run : bigEndian) {
        run.components().swap(bytes, item + run.offset());
      }
    }
    return Bytes.wrap(bytes);
  }
}
