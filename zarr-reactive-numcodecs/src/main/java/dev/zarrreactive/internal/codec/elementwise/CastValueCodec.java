package dev.zarrreactive.internal.codec.elementwise;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.element.Cast;
import dev.zarrreactive.internal.element.Cast.OutOfRange;
import dev.zarrreactive.internal.element.Rounding;
import dev.zarrreactive.internal.element.Scalar;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The {@code cast_value} codec: the same numbers in another data type, and back. */
record CastValueCodec(
    NamedConfiguration configuration,
    Scalar encodedType,
    Rounding rounding,
    OutOfRange range,
    LocatedJson map)
    implements ArrayToArrayCodec {
  static final String NAME = "cast_value";

  static CastValueCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("data_type", "rounding", "out_of_range", "scalar_map");
    LocatedJson dataType = use.member("data_type");
    Scalar encoded = scalar(DataTypes.parse(NamedConfiguration.parse(dataType)), dataType);
    LocatedJson rounding = use.optional("rounding");
    LocatedJson range = use.optional("out_of_range");
    LocatedJson map = use.optional("scalar_map");
    if (map == null) {
      map = new LocatedJson(JsonObject.EMPTY, use.configuration().location());
    }
    map.allowOnly("encode", "decode");
    return new CastValueCodec(
        use,
        encoded,
        rounding == null ? Rounding.NEAREST_EVEN : Rounding.parse(rounding),
        range == null ? OutOfRange.ERROR : range(range, encoded),
        map);
  }

  private static Scalar scalar(DataType type, LocatedJson place) {
    Scalar scalar = Scalar.of(type);
    if (scalar == null || scalar == Scalar.BOOL) {
      throw place.error("only integers and floats can be cast, not " + type);
    }
    return scalar;
  }

  private static OutOfRange range(LocatedJson json, Scalar encoded) {
    if (json.oneOf("clamp", "wrap").equals("clamp")) {
      return OutOfRange.CLAMP;
    }
    if (encoded.isFloat()) {
      throw json.error("only integers wrap around, not " + encoded.type());
    }
    return OutOfRange.WRAP;
  }

  private LongUnaryOperator encoding(Scalar decodedType) {
    return cast(decodedType, encodedType, map.optional("encode"));
  }

  private LongUnaryOperator decoding(Scalar decodedType) {
    return cast(encodedType, decodedType, map.optional("decode"));
  }

  private LongUnaryOperator cast(Scalar from, Scalar to, @Nullable LocatedJson pairs) {
    OutOfRange here = range == OutOfRange.WRAP && to.isFloat() ? OutOfRange.ERROR : range;
    Cast cast = new Cast(from, to, rounding, here);
    ScalarMap replaced = ScalarMap.parse(pairs, from, to);
    return element -> {
      int entry = replaced.find(element);
      if (entry >= 0) {
        return replaced.value(entry);
      }
      try {
        return cast.applyAsLong(element);
      } catch (ArithmeticException e) {
        String help =
            Double.isFinite(from.toDouble(element))
                ? ""
                : ": add an entry to \"scalar_map\" that replaces it";
        throw new CodecException(e.getMessage() + help, Location.UNKNOWN);
      }
    };
  }

  @Override
  public ChunkRepresentation encodedRepresentation(ChunkRepresentation decoded) {
    Scalar type = scalar(decoded.dataType(), configuration.source());
    LongUnaryOperator encoding = encoding(type);
    LongUnaryOperator decoding = decoding(type);
    long fill = type.get(decoded.fillValue().image(), 0);
    try {
      long back = decoding.applyAsLong(encoding.applyAsLong(fill));
      boolean same =
          type.isFloat()
              ? Double.compare(type.toDouble(back) + 0.0, type.toDouble(fill) + 0.0) == 0
              : back == fill;
      if (!same) {
        throw configuration.error(
            "the fill value " + type.text(fill) + " comes back as " + type.text(back));
      }
    } catch (CodecException e) {
      throw configuration.error("the fill value " + e.statement());
    }
    return new ChunkRepresentation(
        decoded.shape(),
        encodedType.type(),
        Elementwise.map(decoded.fillValue(), type, encodedType.type(), encodedType, encoding));
  }

  @Override
  public NdArray encode(NdArray decoded) {
    Scalar type = scalar(decoded.dataType(), configuration.source());
    return Elementwise.map(decoded, type, encodedType.type(), encodedType, encoding(type));
  }

  @Override
  public NdArray decode(NdArray encoded, ChunkRepresentation decoded) {
    Scalar type = scalar(decoded.dataType(), configuration.source());
    return Elementwise.map(encoded, encodedType, type.type(), type, decoding(type));
  }
}
