package dev.zarrreactive.internal.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;

/** Codecs from JSON, and things to give them. */
public final class Codecs {
  private Codecs() {}

  /** The codec of this JSON, as the second of a chain: its pointer is {@code /codecs/1}. */
  public static <C extends Codec> C of(Class<C> kind, String json) {
    String document = "{\"codecs\": [0, " + json.replace('\'', '"') + "]}";
    LocatedJson codecs =
        JsonDocument.parse(
                ByteBuffer.wrap(document.getBytes(StandardCharsets.UTF_8)), Location.UNKNOWN)
            .member("codecs");
    return kind.cast(
        CodecRegistry.standard().create(NamedConfiguration.parse(codecs.elements().get(1))));
  }

  public static LocatedJson json(String json) {
    String document = "{\"value\": " + json + "}";
    return JsonDocument.parse(
            ByteBuffer.wrap(document.getBytes(StandardCharsets.UTF_8)), Location.UNKNOWN)
        .member("value");
  }

  public static Bytes hex(String digits) {
    return Bytes.wrap(HexFormat.of().parseHex(digits.replace(" ", "")));
  }

  /** An array of random bits, the same for the same arguments. */
  public static NdArray random(DataType type, long... extents) {
    Shape shape = Shape.of(extents);
    byte[] image = new byte[shape.byteSize(type.itemSize())];
    new Random(image.length).nextBytes(image);
    return NdArray.wrap(type, shape, Bytes.wrap(image));
  }

  public static ChunkRepresentation representationOf(NdArray array) {
    return representation(array.dataType(), array.shape());
  }

  public static ChunkRepresentation representation(DataType type, Shape shape) {
    return new ChunkRepresentation(shape, type, FillValue.zero(type));
  }
}
