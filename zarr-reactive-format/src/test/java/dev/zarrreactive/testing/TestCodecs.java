package dev.zarrreactive.testing;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Codecs that are easy to follow by eye, and codecs that go wrong. */
public final class TestCodecs implements CodecProvider {
  private static final Map<String, Function<NamedConfiguration, Codec>> CODECS =
      Map.of(
          "test.add", Add::new,
          "test.reverse", Reverse::new,
          "test.length", Length::new,
          "test.other_shape", OtherShape::new);

  private final Map<String, Function<NamedConfiguration, Codec>> codecs;

  private TestCodecs(Map<String, Function<NamedConfiguration, Codec>> codecs) {
    this.codecs = codecs;
  }

  /** The standard codecs and those of this class. */
  public static CodecRegistry registry() {
    return CodecRegistry.standard().with(new TestCodecs(CODECS));
  }

  /** {@link #registry()} and a bytes→bytes codec that decodes with {@code decode}. */
  public static CodecRegistry registry(String name, Function<Bytes, Bytes> decode) {
    return registry()
        .with(new TestCodecs(Map.of(name, configuration -> new Calls(configuration, decode))));
  }

  @Override
  public Set<String> names() {
    return codecs.keySet();
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return codecs.get(configuration.name()).apply(configuration);
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }

  private static byte[] added(byte[] bytes, int n) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] += (byte) n;
    }
    return bytes;
  }

  /** Adds its configuration's {@code n} to every byte of the elements. */
  private record Add(NamedConfiguration configuration) implements ArrayToArrayCodec {
    private int n() {
      return configuration.member("n").integer(0, 255);
    }

    @Override
    public ChunkRepresentation encodedRepresentation(ChunkRepresentation decoded) {
      byte[] image = added(decoded.fillValue().image(), n());
      return new ChunkRepresentation(
          decoded.shape(), decoded.dataType(), FillValue.of(decoded.dataType(), image));
    }

    @Override
    public NdArray encode(NdArray decoded) {
      return plus(decoded, n());
    }

    @Override
    public NdArray decode(NdArray encoded, ChunkRepresentation decoded) {
      return plus(encoded, -n());
    }

    private static NdArray plus(NdArray array, int n) {
      return NdArray.wrap(
          array.dataType(), array.shape(), Bytes.wrap(added(array.bytes().toByteArray(), n)));
    }
  }

  /** The elements' images, back to front. */
  private record Reverse(NamedConfiguration configuration) implements ArrayToBytesCodec {
    @Override
    public SizeBound encodedSize(ChunkRepresentation decoded) {
      return SizeBound.exactly(decoded.byteSize());
    }

    @Override
    public Bytes encode(NdArray decoded, ChunkRepresentation representation) {
      return Bytes.wrap(reversed(decoded.bytes().toByteArray()));
    }

    @Override
    public NdArray decode(Bytes encoded, ChunkRepresentation decoded) {
      return NdArray.wrap(
          decoded.dataType(), decoded.shape(), Bytes.wrap(reversed(encoded.toByteArray())));
    }
  }

  /** One byte with the length, then the bytes. */
  private record Length(NamedConfiguration configuration) implements BytesToBytesCodec {
    @Override
    public SizeBound encodedSize(SizeBound decoded) {
      return decoded.plus(1);
    }

    @Override
    public Bytes encode(Bytes decoded) {
      byte[] encoded = new byte[decoded.size() + 1];
      encoded[0] = (byte) decoded.size();
      decoded.copyTo(0, encoded, 1, decoded.size());
      return Bytes.wrap(encoded);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodeTarget target) {
      return encoded.slice(1, encoded.size() - 1);
    }
  }

  /** Decodes to an array of another shape than it should. */
  private record OtherShape(NamedConfiguration configuration) implements ArrayToArrayCodec {
    @Override
    public ChunkRepresentation encodedRepresentation(ChunkRepresentation decoded) {
      return decoded;
    }

    @Override
    public NdArray encode(NdArray decoded) {
      return decoded;
    }

    @Override
    public NdArray decode(NdArray encoded, ChunkRepresentation decoded) {
      return NdArray.filled(Shape.of(1), decoded.fillValue());
    }
  }

  /** Decodes with a function of the test's. */
  private record Calls(NamedConfiguration configuration, Function<Bytes, Bytes> function)
      implements BytesToBytesCodec {
    @Override
    public SizeBound encodedSize(SizeBound decoded) {
      return decoded;
    }

    @Override
    public Bytes encode(Bytes decoded) {
      return decoded;
    }

    @Override
    public Bytes decode(Bytes encoded, DecodeTarget target) {
      return function.apply(encoded);
    }
  }
}
