package dev.zarrreactive.copy;

import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.metadata.CodecDefaults;
import java.util.ArrayList;
import java.util.List;

/** Converts the codec chain of an array to that of its copy. */
final class CodecConversion {
  /**
   * The name of the codec that stands for structs of Zarr v2, which no document of Zarr v3 can
   * name.
   */
  private static final String STRUCT_BYTES = "v2.struct_bytes";

  private static final String CATEGORIES = "numcodecs.categorize";

  private final CodecRegistry registry;

  CodecConversion(CodecRegistry registry) {
    this.registry = registry;
  }

  /** Returns the chain with the names that Zarr v3 has for its codecs. */
  List<NamedConfiguration> registered(List<NamedConfiguration> chain) {
    return chain.stream().map(this::registered).toList();
  }

  private NamedConfiguration registered(NamedConfiguration codec) {
    NamedConfiguration registered =
        isIgnorable(codec) ? codec : registry.create(codec).registered();
    return registered.name().equals(codec.name()) ? codec : registered;
  }

  /**
   * Returns a chain that a document of Zarr v3 can express: items whose fields have different byte
   * orders are stored little-endian, and categories as texts.
   */
  static List<NamedConfiguration> sayable(List<NamedConfiguration> chain, DataType dataType) {
    boolean categories = chain.stream().anyMatch(codec -> codec.name().equals(CATEGORIES));
    List<NamedConfiguration> result = new ArrayList<>();
    for (NamedConfiguration codec : chain) {
      boolean toBytes = codec.name().equals("bytes") && categories;
      if (toBytes || codec.name().equals(STRUCT_BYTES)) {
        result.add(CodecDefaults.toBytes(dataType));
      } else if (!codec.name().equals(CATEGORIES)) {
        result.add(codec);
      }
    }
    return List.copyOf(result);
  }

  /** Returns whether one chain decodes the data of the other, and has the user's parameters. */
  boolean areSame(List<NamedConfiguration> one, List<NamedConfiguration> other) {
    return registered(one).equals(registered(other));
  }

  /**
   * Applies the user's codecs to a chain. With an array→bytes codec they are the whole chain,
   * otherwise they replace the bytes→bytes codecs.
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
    return !isIgnorable(codec) && registry.create(codec) instanceof ArrayToBytesCodec;
  }

  private boolean isIgnorable(NamedConfiguration codec) {
    return !codec.mustUnderstand() && !registry.knows(codec.name());
  }
}
