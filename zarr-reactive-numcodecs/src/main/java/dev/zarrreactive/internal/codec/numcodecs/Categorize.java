package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.NumpyTypeName;
import dev.zarrreactive.internal.element.Scalar;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The codec numcodecs.categorize: texts as numbers, 0 for the empty text, {@code k} for the {@code
 * k}-th label.
 */
final class Categorize implements ArrayToArrayCodec {
  private final NamedConfiguration configuration;

  /** The text of each number. */
  private final List<String> texts = new ArrayList<>();

  /** The number of each text. */
  private final Map<String, Integer> byText = new HashMap<>();

  private final Scalar numbers;

  private Categorize(NamedConfiguration configuration, Scalar numbers) {
    this.configuration = configuration;
    this.numbers = numbers;
    texts.add("");
    configuration.member("labels").elements().forEach(label -> texts.add(label.string()));
    for (int i = 0; i < texts.size(); i++) {
      byText.putIfAbsent(texts.get(i), i);
    }
  }

  static Categorize of(NamedConfiguration use) {
    use.configuration().allowOnly("labels", "dtype", "astype");
    LocatedJson astype = OptionalMembers.optional(use, "astype");
    Scalar numbers = astype == null ? Scalar.UINT8 : NumpyTypeName.parse(astype);
    if (numbers.isFloat() || numbers == Scalar.BOOL) {
      throw use.member("astype").expected("a type of integers");
    }
    return new Categorize(use, numbers);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public ChunkRepresentation encodedRepresentation(ChunkRepresentation decoded) {
    DataType type = decoded.dataType();
    if (!(type instanceof StringType) && !(type instanceof FixedLengthUtf32Type)) {
      throw configuration.error("it maps texts, but the chunk is " + type);
    }
    String fill = NdArray.filled(Shape.SCALAR, decoded.fillValue()).getString();
    return new ChunkRepresentation(
        decoded.shape(), numbers.type(), FillValue.of(numbers.type(), Math.max(0, number(fill))));
  }

  /** Returns the number of a text, a negative one for a text that is no label. */
  private int number(String text) {
    return byText.getOrDefault(text, -1);
  }

  @Override
  public NdArray encode(NdArray decoded) {
    String[] values = decoded.toStringArray();
    byte[] encoded = new byte[decoded.shape().byteSize(numbers.size())];
    for (int i = 0; i < values.length; i++) {
      int number = number(values[i]);
      if (number < 0) {
        throw new CodecException(
            "element " + i + ", \"" + values[i] + "\", is not a label", Location.UNKNOWN);
      }
      numbers.put(encoded, i * numbers.size(), number);
    }
    return NdArray.wrap(numbers.type(), decoded.shape(), Bytes.wrap(encoded));
  }

  @Override
  public NdArray decode(NdArray encoded, ChunkRepresentation decoded) {
    Bytes image = encoded.bytes();
    String[] values = new String[image.size() / numbers.size()];
    for (int i = 0; i < values.length; i++) {
      long number = numbers.get(image.unsafeArray(), image.unsafeOffset() + i * numbers.size());
      values[i] = text(number);
      if (values[i] == null) {
        throw new CodecException(
            "element " + i + " is " + number + ", but there are " + (texts.size() - 1) + " labels",
            Location.UNKNOWN);
      }
    }
    return NdArray.ofStrings(decoded.dataType(), decoded.shape(), values);
  }

  private @Nullable String text(long number) {
    return number < 0 || number >= texts.size() ? null : texts.get((int) number);
  }
}
