package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.JsonType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonValue;
import java.util.function.Function;
import java.util.function.Supplier;

/** The codecs {@code json2} and {@code msgpack2}: any JSON values, as text or as MessagePack. */
final class ObjectCodec implements ArrayToBytesCodec {
  private final NamedConfiguration configuration;
  private final Function<JsonValue, Bytes> write;
  private final Function<Bytes, JsonValue> read;

  private ObjectCodec(
      NamedConfiguration configuration,
      Function<JsonValue, Bytes> write,
      Function<Bytes, JsonValue> read) {
    this.configuration = configuration;
    this.write = write;
    this.read = read;
  }

  /**
   * Creates {@code json2}. Of its options for Python's writer only the encoding matters to a
   * reader.
   */
  static ObjectCodec json(NamedConfiguration use) {
    if (OptionalMembers.optional(use, "encoding") != null) {
      use.member("encoding").oneOf("utf-8", "utf8", "UTF-8", "ascii");
    }
    return new ObjectCodec(use, json -> Bytes.utf8(json.toString()), ObjectCodec::parse);
  }

  private static JsonValue parse(Bytes text) {
    try {
      return JsonDocument.parseAttributes(text.asByteBuffer(), Location.UNKNOWN).value();
    } catch (MetadataException e) {
      throw new CodecException(e.statement(), Location.UNKNOWN, e);
    }
  }

  /** Creates {@code msgpack2}. Its options for Python's writer do not matter to a reader. */
  static ObjectCodec messagePack(NamedConfiguration use) {
    return new ObjectCodec(
        use,
        json -> withLibrary(() -> MessagePackLibrary.write(json)),
        bytes -> withLibrary(() -> MessagePackLibrary.read(bytes)));
  }

  private static <T> T withLibrary(Supplier<T> work) {
    try {
      return work.get();
    } catch (LinkageError e) {
      throw new UnsupportedFeatureException(
          "MessagePack needs a library that the class path lacks: add"
              + " org.msgpack:msgpack-core",
          Location.UNKNOWN,
          e);
    }
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(ChunkRepresentation decoded) {
    if (!(decoded.dataType() instanceof JsonType)) {
      throw configuration.error(
          "the codec " + name() + " is not for the data type " + decoded.dataType());
    }
    return SizeBound.atMost(Bytes.MAX_SIZE);
  }

  @Override
  public Bytes encode(NdArray decoded, ChunkRepresentation representation) {
    return write.apply(JsonItems.write(decoded));
  }

  @Override
  public NdArray decode(Bytes encoded, ChunkRepresentation decoded) {
    return JsonItems.read(read.apply(encoded), decoded);
  }
}
