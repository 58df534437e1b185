package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of an array by their kinds, in the order of encoding. A chain may leave its
 * array→bytes codec out: the data type determines it.
 *
 * @param before the array→array codecs; of a chain that is {@code opaque}, all codecs
 * @param toBytes the array→bytes codec; null for that of the data type
 * @param after the bytes→bytes codecs
 * @param opaque true if codecs of other providers leave open which codec makes the bytes
 */
public record ChainParts(
    List<NamedConfiguration> before,
    @Nullable NamedConfiguration toBytes,
    List<NamedConfiguration> after,
    boolean opaque) {
  /** The chain of an array for which none is chosen. */
  public static final ChainParts DEFAULT =
      new ChainParts(List.of(), null, List.of(CodecDefaults.COMPRESSOR), false);

  /**
   * Divides a chain.
   *
   * @param setter the name of the caller's setting, for errors
   * @throws IllegalArgumentException if its known codecs are in an impossible order
   */
  public static ChainParts of(String setter, List<NamedConfiguration> chain) {
    checkOrder(setter, chain);
    int middle = indexOf(CodecKind.ARRAY_TO_BYTES, chain);
    if (middle >= 0) {
      return new ChainParts(
          List.copyOf(chain.subList(0, middle)),
          chain.get(middle),
          List.copyOf(chain.subList(middle + 1, chain.size())),
          false);
    } else if (chain.stream().anyMatch(codec -> CodecKind.of(codec.name()) == null)) {
      return new ChainParts(List.copyOf(chain), null, List.of(), true);
    }
    int end = indexOf(CodecKind.BYTES_TO_BYTES, chain);
    int split = end < 0 ? chain.size() : end;
    return new ChainParts(
        List.copyOf(chain.subList(0, split)),
        null,
        List.copyOf(chain.subList(split, chain.size())),
        false);
  }

  private static int indexOf(CodecKind kind, List<NamedConfiguration> chain) {
    for (int i = 0; i < chain.size(); i++) {
      if (CodecKind.of(chain.get(i).name()) == kind) {
        return i;
      }
    }
    return -1;
  }

  private static void checkOrder(String setter, List<NamedConfiguration> chain) {
    NamedConfiguration last = null;
    CodecKind lastKind = CodecKind.ARRAY_TO_ARRAY;
    for (NamedConfiguration codec : chain) {
      CodecKind kind = CodecKind.of(codec.name());
      if (kind == null) {
        continue;
      }
      boolean twice = kind == CodecKind.ARRAY_TO_BYTES && kind == lastKind;
      if (last != null && (twice || kind.compareTo(lastKind) < 0)) {
        throw new IllegalArgumentException(
            setter
                + ": \""
                + codec.name()
                + "\" ("
                + kind
                + ") stands after \""
                + last.name()
                + "\" ("
                + lastKind
                + "); the order is array→array, one array→bytes, bytes→bytes");
      }
      last = codec;
      lastKind = kind;
    }
  }

  /**
   * Returns the chain with other bytes→bytes codecs.
   *
   * @param setter the name of the caller's setting, for errors
   * @throws IllegalArgumentException for a codec of another kind, or if the chain leaves open which
   *     codecs it replaces
   */
  public ChainParts withCompressors(String setter, List<NamedConfiguration> compressors) {
    for (NamedConfiguration codec : compressors) {
      CodecKind kind = CodecKind.of(codec.name());
      if (kind != null && kind != CodecKind.BYTES_TO_BYTES) {
        throw new IllegalArgumentException(
            setter
                + ": \""
                + codec.name()
                + "\" is an "
                + kind
                + " codec; expected bytes→bytes codecs, such as zstd; codecs(...) takes a whole"
                + " chain");
      }
    }
    if (opaque) {
      throw new IllegalArgumentException(
          setter
              + ": the chain "
              + before
              + " has codecs of other providers; set the whole chain with codecs(...)");
    }
    return new ChainParts(before, toBytes, List.copyOf(compressors), false);
  }

  /** Returns the chain with this array→array codec at its start, unless it is there. */
  public ChainParts startingWith(NamedConfiguration codec) {
    if (!before.isEmpty() && before.get(0).equals(codec)) {
      return this;
    }
    List<NamedConfiguration> more = new ArrayList<>(before);
    more.add(0, codec);
    return new ChainParts(List.copyOf(more), toBytes, after, opaque);
  }

  /**
   * Returns the chain for a new array. The codec for structs of Zarr v2 whose fields have different
   * byte orders gives way to that of the data type, and the old name of {@code bytes} to the new.
   */
  public ChainParts ofNewArray() {
    if (toBytes == null) {
      return this;
    }
    return switch (toBytes.name()) {
      case "v2.struct_bytes" -> new ChainParts(before, null, after, opaque);
      case "endian" ->
          new ChainParts(
              before,
              NamedConfiguration.of("bytes", toBytes.configuration().object()),
              after,
              opaque);
      default -> this;
    };
  }

  /**
   * Returns the chain of an array of another data type: codecs that follow from it are left out.
   */
  public ChainParts without(DataType old) {
    NamedConfiguration bytes =
        toBytes == null || toBytes.equals(CodecDefaults.toBytes(old)) ? null : toBytes;
    return new ChainParts(before, bytes, CodecDefaults.without(after, old), opaque);
  }

  /** Returns the whole chain for elements of a data type, with complete configurations. */
  public List<NamedConfiguration> complete(DataType type) {
    List<NamedConfiguration> chain = new ArrayList<>(before);
    if (toBytes != null) {
      chain.add(toBytes);
    } else if (!opaque) {
      chain.add(CodecDefaults.toBytes(type));
    }
    chain.addAll(after);
    return CodecDefaults.completed(chain, type);
  }
}
