package dev.zarrreactive.cli.describe;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.output.ElementText;
import dev.zarrreactive.cli.stored.StoredSize;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.text.Durations;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.DimensionNames;
import dev.zarrreactive.store.Store;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;

/** An array described for people. */
public final class ArrayDescription {
  private static final MathContext ROUNDING = new MathContext(3);

  private final String name;
  private final ZarrArray array;
  private final ChunkLayout layout;
  private final List<String> stored;
  private final List<String> version;

  private ArrayDescription(
      String name, ZarrArray array, List<String> stored, List<String> version) {
    this.version = version;
    this.name = name;
    this.array = array;
    this.layout = ChunkLayout.of(array);
    this.stored = stored;
  }

  /**
   * Describes {@code array} by its metadata.
   *
   * @param name the array in the user's words
   */
  public static ArrayDescription of(String name, ZarrArray array) {
    return new ArrayDescription(name, array, List.of(), List.of());
  }

  /**
   * Describes {@code array}, and counts its stored chunks if the store can list them.
   *
   * @param name the array in the user's words
   * @param store the store of the array
   * @param limit where the count ends
   * @param version of the repository that the array is in, in words, or nothing
   */
  public static Mono<ArrayDescription> of(
      String name, ZarrArray array, Store store, StoredSize.Limit limit, List<String> version) {
    return StoredSize.of(array, store, limit)
        .map(size -> stored(array, size, limit))
        .onErrorReturn(StoreCapabilityException.class, "unknown: the store cannot list")
        .onErrorReturn(AccessDeniedException.class, "unknown: the store denies a listing")
        .map(stored -> new ArrayDescription(name, array, List.of(stored), version));
  }

  private static String stored(ZarrArray array, StoredSize size, StoredSize.Limit limit) {
    BigInteger all = array.chunkGrid().gridShape().elementCount();
    String text =
        (size.areSizesKnown() ? Quantities.bytes(size.bytes()) + " in " : "")
            + Quantities.number(BigInteger.valueOf(size.chunks()))
            + " of "
            + Quantities.plural(all, ChunkLayout.of(array).noun());
    if (!size.isComplete()) {
      return "at least "
          + text
          + "; the count ended after "
          + Durations.rounded(limit.time())
          + " or "
          + Quantities.plural(limit.keys(), "key");
    }
    return text + (size.areSizesKnown() ? ratio(array, size.bytes()) : ", of unknown size");
  }

  /** Returns the ratio of the elements' size to the stored size. */
  private static String ratio(ZarrArray array, long stored) {
    if (stored == 0 || array.dataType() instanceof VariableLengthType) {
      return "";
    }
    BigInteger whole =
        array.shape().elementCount().multiply(BigInteger.valueOf(array.dataType().itemSize()));
    BigDecimal ratio = new BigDecimal(whole).divide(BigDecimal.valueOf(stored), ROUNDING);
    return ", ratio " + ratio.round(ROUNDING).stripTrailingZeros().toPlainString();
  }

  /** Returns the type that {@code zarr read --decode} makes, where it is another one. */
  private List<String> values() {
    Variable variable = Variable.of(array, List.of(), CfRule.all());
    CfDecoding decoding = variable.decoding();
    if (decoding.times().isEmpty() && decoding.dataType().equals(array.dataType())) {
      return List.of();
    }
    String shape = decoding.joinsCharacters() ? " " + variable.shape() : "";
    return List.of(
        decoding.dataType() + shape + decoding.times().map(times -> ", " + times).orElse(""));
  }

  /** Returns the description, on several lines. */
  public String text(boolean colour) {
    ArrayMetadata metadata = array.metadata();
    return new FieldTable(colour)
        .field("array", name)
        .field("version", version)
        .format(metadata)
        .field("shape", array.shape().toString())
        .field("dimensions", dimensions(metadata))
        .field("data type", array.dataType().toString())
        .field("values", values())
        .field("fill value", ElementText.of(array.dataType(), array.fillValue().toJson()))
        .field("chunk grid", grid())
        .field("in a shard", layout.isSharded() ? List.of(layout.inShard()) : List.of())
        .field(layout.noun() + "s", chunks())
        .field(layout.noun() + " keys", keys(metadata.chunkKeyEncoding()))
        .field("codecs", CodecText.lines(metadata.codecs()))
        .field("size", size())
        .field("stored", stored)
        .attributes(array.attributes())
        .toString();
  }

  private static String dimensions(ArrayMetadata metadata) {
    DimensionNames names = DimensionNames.of(metadata);
    return !names.isAny()
        ? "unnamed"
        : names + (names.areInAttributes() ? " (" + names.place().replace("the ", "") + ")" : "");
  }

  private String grid() {
    String kind = array.metadata().chunkGrid().name();
    return kind
        + ", "
        + layout.noun()
        + (kind.equals("regular") ? "s of " : "s of at most ")
        + layout.outer();
  }

  private String chunks() {
    Shape grid = array.chunkGrid().gridShape();
    String count = Quantities.number(grid.elementCount());
    if (grid.rank() < 2) {
      return count;
    }
    return count
        + " = "
        + Arrays.stream(grid.toArray()).mapToObj(Long::toString).collect(Collectors.joining(" x "));
  }

  private String keys(NamedConfiguration encoding) {
    long[] last = array.chunkGrid().gridShape().toArray();
    for (int dimension = 0; dimension < last.length; dimension++) {
      last[dimension] = Math.max(0, last[dimension] - 1);
    }
    String key = ChunkKeyEncoding.of(encoding).encode(last);
    return encoding.name()
        + ", such as "
        + (array.metadata().entryPoint() == null
            ? key
            : array.metadata().chunkKey(array.path(), key).value());
  }

  private String size() {
    if (array.dataType() instanceof VariableLengthType) {
      return Quantities.plural(array.shape().elementCount(), "element") + " of variable length";
    }
    BigInteger item = BigInteger.valueOf(array.dataType().itemSize());
    BigInteger whole = array.shape().elementCount().multiply(item);
    BigInteger chunk = array.chunkGrid().largestChunkShape().elementCount().multiply(item);
    return Quantities.bytes(whole)
        + " in "
        + Quantities.plural(array.shape().elementCount(), "element")
        + ", "
        + Quantities.bytes(chunk)
        + " a "
        + layout.noun();
  }
}
