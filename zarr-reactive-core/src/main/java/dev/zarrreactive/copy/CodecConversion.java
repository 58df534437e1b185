package dev.zarrreactive.copy;

import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.numcodecs.CoreNames;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import java.util.ArrayList;
import java.util.List;

/** From the codec chain of an array to that of its copy. */
final class CodecConversion {
  /** What metadata of Zarr v2 is read as, and no document can say. */
  private static final String STRUCT_BYTES = "v2.struct_bytes";

  private static final String CATEGORIES = "numcodecs.categorize";

  private final CodecRegistry registry;

  CodecConversion(CodecRegistry registry) {
    this.registry = registry;
  }

  /** The chain with the names that Zarr v3 itself has for its codecs. */
  static List<NamedConfiguration> inCoreNames(List<NamedConfiguration> chain) {
    return chain.stream().map(CoreNames::of).toList();
  }

  /**
   * The chain, with what no document of Zarr v3 can say put in another way: items whose fields have
   * different byte orders are stored little-endian, and texts that were numbers of categories as
   * texts.
   */
  static List<NamedConfiguration> sayable(List<NamedConfiguration> chain, DataType dataType) {
    boolean categories = chain.stream().anyMatch(codec -> codec.name().equals(CATEGORIES));
    List<NamedConfiguration> result = new ArrayList<>();
    for (NamedConfiguration codec : chain) {
      boolean toBytes = codec.name().equals("bytes") && categories;
      if (toBytes || codec.name().equals(STRUCT_BYTES)) {
        result.add(ArrayMetadataBuilder.toBytes(dataType));
      } else if (!codec.name().equals(CATEGORIES)) {
        result.add(codec);
      }
    }
    return List.copyOf(result);
  }

  /**
   * The chain as a document has it. Those of numcodecs get a configuration also where it is empty:
   * zarr-python does not read them without.
   */
  static JsonArray json(List<NamedConfiguration> chain) {
    return new JsonArray(chain.stream().<JsonValue>map(CodecConversion::json).toList());
  }

  private static JsonObject json(NamedConfiguration codec) {
    JsonObject json = codec.toJson();
    return codec.name().startsWith("numcodecs.") && json.get("configuration") == null
        ? json.with("configuration", JsonObject.EMPTY)
        : json;
  }

  /** True where the one chain encodes what the other decodes, and as the user wants it. */
  static boolean areSame(List<NamedConfiguration> one, List<NamedConfiguration> other) {
    return inCoreNames(one).equals(inCoreNames(other));
  }

  /**
   * What {@code wanted} makes of a chain: where it has an array→bytes codec it is a whole chain,
   * else it stands in the place of the bytes→bytes codecs.
   */
  List<NamedConfiguration> replace(
      List<NamedConfiguration> chain, List<NamedConfiguration> wanted) {
    if (wanted.stream().anyMatch(this::isArrayToBytes)) {
      return wanted;
    }
    List<NamedConfiguration> result = new ArrayList<>();
    for (NamedConfiguration codec : chain) {
      result.add(codec);
      if (isArrayToBytes(codec)) {
        break;
      }
    }
    result.addAll(wanted);
    return List.copyOf(result);
  }

  private boolean isArrayToBytes(NamedConfiguration codec) {
    boolean ignorable = !codec.mustUnderstand() && !registry.knows(codec.name());
    return !ignorable && registry.create(codec) instanceof ArrayToBytesCodec;
  }
}
