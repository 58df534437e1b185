package dev.zarrreactive.codec;

import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of an array in the order of encoding: any number of array→array codecs, one
 * array→bytes codec, any number of bytes→bytes codecs (specification: "Codecs"). Immutable. {@link
 * #bind} gives what encodes and decodes chunks.
 */
public final class CodecChain {
  /** Each codec is applied to each chunk, so that a longer list could only be meant to do harm. */
  private static final int MAX_CODECS = 64;

  private final List<ArrayToArrayCodec> arrayToArray = new ArrayList<>();
  private final ArrayToBytesCodec arrayToBytes;
  private final List<BytesToBytesCodec> bytesToBytes = new ArrayList<>();
  private final boolean writable;

  private CodecChain(List<NamedConfiguration> codecs, LocatedJson place, CodecRegistry registry) {
    if (codecs.size() > MAX_CODECS) {
      throw new UnsupportedFeatureException(
          "a chain of " + codecs.size() + " codecs; at most " + MAX_CODECS + " are supported",
          place.location());
    }
    ArrayToBytesCodec middle = null;
    boolean understood = true;
    for (NamedConfiguration extension : codecs) {
      if (!extension.mustUnderstand() && !registry.knows(extension.name())) {
        understood = false;
        continue;
      }
      Codec codec = registry.create(extension);
      if (codec instanceof ArrayToArrayCodec arrays) {
        checkOrder(middle == null, extension, "array→array", "stand before", middle);
        arrayToArray.add(arrays);
      } else if (codec instanceof ArrayToBytesCodec toBytes) {
        if (middle != null) {
          throw extension.error(
              "a second array→bytes codec; the chain has \"" + middle.name() + "\" already");
        }
        middle = toBytes;
      } else if (codec instanceof BytesToBytesCodec bytes) {
        checkOrder(middle != null, extension, "bytes→bytes", "stand after", middle);
        bytesToBytes.add(bytes);
      }
    }
    if (middle == null) {
      throw place.error("the codec chain has no array→bytes codec, such as \"bytes\"");
    }
    arrayToBytes = middle;
    writable = understood;
  }

  private static void checkOrder(
      boolean holds,
      NamedConfiguration extension,
      String kind,
      String must,
      @Nullable Codec middle) {
    if (!holds) {
      String other = middle == null ? "the array→bytes codec" : "\"" + middle.name() + "\"";
      throw extension.error("the " + kind + " codec must " + must + " " + other);
    }
  }

  /**
   * Makes the codecs of a chain and checks their order.
   *
   * @param codecs the codecs as metadata names them
   * @param place where they stand, for errors
   * @throws MetadataException where a codec's configuration is wrong, or the order is
   * @throws dev.zarrreactive.error.UnknownExtensionException where nobody knows a codec that must
   *     be understood
   * @throws UnsupportedFeatureException where there are more than 64
   */
  public static CodecChain of(
      List<NamedConfiguration> codecs, LocatedJson place, CodecRegistry registry) {
    return new CodecChain(codecs, place, registry);
  }

  /** False where an unknown codec was left out, as it allows: such chunks can only be read. */
  public boolean isWritable() {
    return writable;
  }

  /**
   * This chain for chunks of one representation.
   *
   * @throws MetadataException where a codec cannot take what the one before it gives
   */
  public ChunkCodec bind(ChunkRepresentation chunk) {
    return new ChunkCodec(arrayToArray, arrayToBytes, bytesToBytes, chunk);
  }
}
