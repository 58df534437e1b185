package dev.zarrreactive.cf;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The decoding of one array's stored elements by its attributes: missing values become NaN or NaT,
 * packed numbers are unpacked, counts since a date become times, bytes become texts. {@link CfRule}
 * names the rules. Immutable and thread-safe.
 *
 * <p>The decoded type depends on the metadata alone. Integers with missing values are {@code
 * float32} where they have up to 16 bits, else {@code float64}; floats keep their type. Packed
 * numbers are {@code float64}, because the numbers of JSON attributes are doubles; two exceptions
 * are xarray's: floats whose only missing value is NaN keep their type, and integers without
 * missing values whose only packing is an integer {@code scale_factor} are {@code int64}. {@link
 * TimeCoding} says the type of times.
 */
public final class CfDecoding {
  /** The most characters of a text that an error shows. */
  private static final int SHOWN = 40;

  private final ArrayMetadata array;
  private final Set<CfRule> rules;
  private final @Nullable NumberDecoding numbers;
  private final @Nullable ElementConversion conversion;
  private final @Nullable String problem;
  private final JsonObject attributes;

  /**
   * Creates a decoding.
   *
   * @param numbers the decoding of numbers; null for other elements, and without rules
   * @param conversion decodes images; null without rules
   * @param problem tells why no element can be decoded; null where it can
   */
  CfDecoding(
      ArrayMetadata array,
      JsonObject attributes,
      Set<CfRule> rules,
      @Nullable NumberDecoding numbers,
      @Nullable ElementConversion conversion,
      @Nullable String problem) {
    this.array = array;
    this.attributes = attributes;
    this.rules = rules;
    this.numbers = numbers;
    this.conversion = conversion;
    this.problem = problem;
  }

  /** Returns the decoding of an array by its own attributes, by all rules. */
  public static CfDecoding of(ArrayMetadata array) {
    return of(array, array.attributes(), CfRule.all(), false);
  }

  /**
   * Returns the decoding of an array.
   *
   * @param attributes the attributes of the array, and others that it inherits
   * @param rules the rules to apply; none for the stored elements
   * @param joinsCharacters true if the last dimension has the characters of texts
   */
  public static CfDecoding of(
      ArrayMetadata array, JsonObject attributes, Set<CfRule> rules, boolean joinsCharacters) {
    return new CfRules(new CfAttributes(array, attributes), rules).decoding(joinsCharacters);
  }

  /** The attributes of the array, and others that it inherits, by which values are decoded. */
  public JsonObject attributes() {
    return attributes;
  }

  /** The type of the stored elements. */
  public DataType storedType() {
    return array.dataType();
  }

  /** The type of the decoded elements. */
  public DataType dataType() {
    return conversion == null ? storedType() : conversion.target();
  }

  /** The rules that change elements of this array. */
  public Set<CfRule> rules() {
    return rules;
  }

  /** The coding of times, or of lengths of time; empty for other elements. */
  public Optional<TimeCoding> times() {
    return numbers == null ? Optional.empty() : Optional.ofNullable(numbers.times());
  }

  /** The meanings of flags; empty where the attributes have none. */
  public Optional<CfFlags> flags() {
    return CfFlags.of(attributes);
  }

  /**
   * Returns true if the attributes name NaN as a missing value. Then a NaN is missing; else it is a
   * value that was stored.
   */
  public boolean isNanMissing() {
    CfAttributes named = new CfAttributes(array, attributes);
    return Stream.of(named.fillValues(), named.numbers(CfAttributes.MISSING_VALUE))
        .flatMap(List::stream)
        .anyMatch(number -> Double.isNaN(number.toDouble()));
  }

  /** Returns false for attributes by which no element can be decoded: every read is an error. */
  public boolean isReadable() {
    return problem == null;
  }

  /** Returns true if decoded elements are the stored ones. */
  public boolean isIdentity() {
    return conversion == null && problem == null;
  }

  /** Returns true if the last dimension has the characters of texts, which the result lacks. */
  public boolean joinsCharacters() {
    return conversion != null && conversion.joined().isPresent();
  }

  /**
   * Returns the decoding of images, for reads of one's own; empty where the stored elements are the
   * values.
   *
   * @throws UnsupportedFeatureException as {@link #decode}
   */
  public Optional<ElementConversion> conversion() {
    requireReadable();
    return Optional.ofNullable(conversion);
  }

  /**
   * Returns the decoding of integers of up to 16 bits as one formula; empty where another rule
   * applies, or the elements are others.
   *
   * @throws UnsupportedFeatureException as {@link #decode}
   */
  public Optional<LinearDecoding> linear() {
    requireReadable();
    if (!NumberDecoding.isSource(storedType())) {
      return Optional.empty();
    }
    return numbers == null ? NumberDecoding.plain(storedType()).linear() : numbers.linear();
  }

  /**
   * Returns the decoded elements of an array of stored ones, of the same shape; without the last
   * dimension where characters are joined.
   *
   * @throws UnsupportedFeatureException for units that name no time, and for a time beyond the
   *     decoded type
   */
  public NdArray decode(NdArray elements) {
    requireReadable();
    return conversion == null ? elements : conversion.convert(elements);
  }

  /**
   * Returns the stored elements of values, of the same shape: the inverse of {@link #decode}. NaN
   * and NaT become the first missing value. Packed numbers are {@code (value - add_offset) /
   * scale_factor}; integers are rounded to the nearest, ties to even, and floats to the nearest
   * one. Times are {@code numpy.datetime64} of any unit, or of a model's calendar {@code int64} as
   * {@link #decode} returns them; a time between two stored integers is refused.
   *
   * @throws IllegalArgumentException for a value that {@link #decode} would not return: one beyond
   *     the stored type, one whose stored number stands for missing values, or a missing one
   *     without such a number; also for values of a type that cannot be stored
   * @throws UnsupportedFeatureException for texts that are stored as bytes
   */
  public NdArray encode(NdArray values) {
    return encode(values, new NumberEncoding.Place(values.shape(), null));
  }

  /**
   * Returns the stored elements of a block of values, as {@link #encode(NdArray)}.
   *
   * @param start the index of the block's first value among all values, for errors, which name the
   *     place of a value that cannot be stored
   * @throws IllegalArgumentException also if the index has another rank than the block
   */
  public NdArray encode(NdArray values, long... start) {
    if (start.length != values.shape().rank()) {
      throw new InvalidInputException(
          "an index of rank " + start.length + " is of no block of shape " + values.shape());
    }
    return encode(values, new NumberEncoding.Place(values.shape(), start.clone()));
  }

  private NdArray encode(NdArray values, NumberEncoding.Place place) {
    requireReadable();
    if (conversion instanceof TextConversion) {
      throw new UnsupportedFeatureException(
          "texts are not encoded as bytes; store string", Location.UNKNOWN);
    } else if (rules.isEmpty() && values.dataType().equals(storedType())) {
      return values;
    } else if (isText(storedType()) && isText(values.dataType())) {
      return texts(values, place);
    } else if (!(storedType() instanceof IntegerType || storedType() instanceof FloatType)) {
      throw new InvalidInputException(
          "values of " + values.dataType() + " cannot be stored as " + storedType());
    }
    NumberDecoding by =
        numbers == null ? NumberDecoding.plain(CfRules.usualType(storedType())) : numbers;
    try {
      return new NumberEncoding(by, storedType(), place).encode(values);
    } catch (ArithmeticException e) {
      throw new InvalidInputException(String.valueOf(e.getMessage()), e);
    }
  }

  private static boolean isText(DataType type) {
    return type instanceof FixedLengthUtf32Type || type instanceof StringType;
  }

  /** Returns texts of the stored type, which may have another length. */
  private NdArray texts(NdArray values, NumberEncoding.Place place) {
    String[] texts = values.toStringArray();
    if (storedType() instanceof FixedLengthUtf32Type fixed) {
      for (int i = 0; i < texts.length; i++) {
        int length = texts[i].codePointCount(0, texts[i].length());
        if (length > fixed.capacity()) {
          throw new InvalidInputException(
              "the text \""
                  + texts[i].substring(0, texts[i].offsetByCodePoints(0, Math.min(length, SHOWN)))
                  + (length > SHOWN ? "…" : "")
                  + '"'
                  + place.of(i)
                  + " has "
                  + length
                  + " characters, and the array holds texts of up to "
                  + fixed.capacity());
        }
      }
    }
    return NdArray.ofStrings(storedType(), values.shape(), texts);
  }

  private void requireReadable() {
    if (problem != null) {
      throw new UnsupportedFeatureException(
          problem + "; raw() has the stored numbers", Location.UNKNOWN);
    }
  }

  /**
   * Reads and decodes a selection of {@code array}, which has the metadata of this decoding. Codec
   * threads decode chunk by chunk, straight into the result. Signals, cancel and errors are those
   * of {@link ZarrArray#read(Selection)} and {@link #decode}; a heap without room is a {@link
   * dev.zarrreactive.error.MemoryExhaustedException}.
   *
   * @throws IllegalArgumentException if the selection does not fit the stored shape, or has a part
   *     of the characters of texts
   */
  public Mono<NdArray> read(ZarrArray array, Selection selection) {
    return ifReadable(
        array, conversion == null ? array.read(selection) : array.read(selection, conversion));
  }

  /**
   * Reads and decodes a selection of {@code array} into the caller's memory, as {@link
   * ZarrArray#readInto}. Memory that is used for one read after the other costs less than new one,
   * which Java clears and collects.
   *
   * @return the written part of the buffer, as there; {@link UnsupportedFeatureException} for texts
   * @throws IllegalArgumentException if the selection does not fit the stored shape, the buffer is
   *     read-only, too few bytes remain in it, or characters are joined
   */
  public Mono<ByteBuffer> readInto(ZarrArray array, Selection selection, ByteBuffer target) {
    return ifReadable(
        array,
        conversion == null
            ? array.readInto(selection, target)
            : array.readInto(selection, conversion, target));
  }

  private <T> Mono<T> ifReadable(ZarrArray array, Mono<T> read) {
    return Mono.defer(
            () -> {
              requireReadable();
              return read;
            })
        .onErrorMap(ZarrException.class, error -> at(array, error));
  }

  /** The decoding of numbers; null where stored elements are others. */
  @Nullable NumberDecoding numbers() {
    return numbers;
  }

  private static Throwable at(ZarrArray array, ZarrException error) {
    return error.at(Location.ofNode(array.path().value()));
  }

  /**
   * Reads a selection of {@code array} chunk by chunk, decoded by the codec threads. Demand,
   * limits, cancel and errors are those of {@link ZarrArray#chunks}; decoded bytes count in the
   * bytes in flight. The chunks' places are those of the stored array.
   *
   * @throws IllegalArgumentException if the selection does not fit the stored shape
   */
  public Flux<Chunk> chunks(ZarrArray array, Selection selection) {
    return isIdentity()
        ? array.chunks(selection)
        : readable(array, array.chunks(selection, new DecodedChunks(this)));
  }

  /**
   * Reads a selection of {@code array} in C order of the chunks' indices; otherwise as {@link
   * #chunks}.
   */
  public Flux<Chunk> chunksInOrder(ZarrArray array, Selection selection) {
    return isIdentity()
        ? array.chunksInOrder(selection)
        : readable(array, array.chunksInOrder(selection, new DecodedChunks(this)));
  }

  private Flux<Chunk> readable(ZarrArray array, Flux<Chunk> decoded) {
    return Flux.defer(
            () -> {
              requireReadable();
              return decoded;
            })
        .onErrorMap(ZarrException.class, error -> at(array, error));
  }

  private record DecodedChunks(CfDecoding by) implements ChunkWork<Chunk> {
    @Override
    public Chunk apply(Chunk chunk) {
      return by.decode(chunk);
    }

    @Override
    public int growth() {
      int stored = by.storedType().memorySize();
      return (by.dataType().memorySize() + stored - 1) / stored;
    }

    @Override
    public boolean retainsChunk() {
      return false;
    }
  }

  /**
   * Returns a format for {@link ZarrArray#encode} that gets decoded elements: {@code
   * array.encode(selection, decoding.before(Encodings.csv(), true), 1 << 16)}.
   *
   * @param datesAsText true to give dates as {@link #withDatesAsText}, for formats of text
   * @throws UnsupportedFeatureException as {@link #decode}
   */
  public Encoding before(Encoding encoding, boolean datesAsText) {
    requireReadable();
    if (conversion == null) {
      return encoding;
    }
    return encoding.converted(
        datesAsText && hasDates()
            ? new DateTexts(storedType().itemSize(), conversion, times().orElseThrow())
            : conversion);
  }

  /** Returns true if the values are dates. */
  boolean hasDates() {
    return times().flatMap(TimeCoding::calendar).isPresent();
  }

  /**
   * Returns decoded dates as {@code string}: ISO 8601 in their calendar, and {@code NaT}. Other
   * values are returned as they are.
   */
  public NdArray withDatesAsText(NdArray decoded) {
    Optional<TimeCoding> times = times();
    if (times.isEmpty() || !hasDates()) {
      return decoded;
    }
    String[] texts =
        Arrays.stream(decoded.toLongArray()).mapToObj(times.get()::text).toArray(String[]::new);
    return NdArray.ofStrings(DataTypes.STRING, decoded.shape(), texts);
  }

  private Chunk decode(Chunk chunk) {
    ResolvedSelection place =
        joinsCharacters() ? withoutCharacters(chunk.selection(), array.shape()) : chunk.selection();
    return new Chunk(chunk.index(), chunk.innerIndex(), place, decode(chunk.data()));
  }

  /** Returns the place of texts: the dimension of their characters is dropped. */
  private static ResolvedSelection withoutCharacters(ResolvedSelection place, Shape array) {
    int last = array.rank() - 1;
    if (!(place instanceof ResolvedSelection.Orthogonal box)
        || box.axes().get(last).count() != array.extent(last)) {
      throw new UnsupportedFeatureException(
          "chunks divide the characters of texts; read() joins them", Location.UNKNOWN);
    }
    List<Axis> axes = new ArrayList<>(box.axes());
    axes.set(last, new Axis.Range(0, 1, 1, true));
    return new ResolvedSelection.Orthogonal(axes);
  }

  @Override
  public String toString() {
    return storedType() + (isIdentity() ? "" : " decoded to " + dataType() + " by " + rules);
  }
}
