package dev.zarrreactive.codec;

import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.spi.Spi;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of an array in the order of encoding: any number of array→array codecs, one
 * array→bytes codec, any number of bytes→bytes codecs (specification: "Codecs"). Immutable. {@link
 * #bind} returns the encoder and decoder of chunks.
 */
@Spi
public final class CodecChain {
  /** Bounds the work of a chunk against hostile metadata: real chains are far shorter. */
  private static final int MAX_CODECS = 64;

  private final List<ArrayToArrayCodec> arrayToArray = new ArrayList<>();
  private final ArrayToBytesCodec arrayToBytes;
  private final List<BytesToBytesCodec> bytesToBytes = new ArrayList<>();
  private final boolean writable;

  private CodecChain(List<NamedConfiguration> codecs, LocatedJson place, CodecRegistry registry) {
    if (codecs.size() > MAX_CODECS) {
      throw new UnsupportedFeatureException(
          "the chain has " + codecs.size() + " codecs; at most " + MAX_CODECS + " are supported",
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
        checkOrder(middle == null, extension, "array→array", "come before", middle);
        arrayToArray.add(arrays);
      } else if (codec instanceof ArrayToBytesCodec toBytes) {
        if (middle != null) {
          throw extension.error(
              "the chain has the array→bytes codec \""
                  + middle.name()
                  + "\" already; expected one");
        }
        middle = toBytes;
      } else if (codec instanceof BytesToBytesCodec bytes) {
        checkOrder(middle != null, extension, "bytes→bytes", "come after", middle);
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
   * Creates the codecs of a chain and checks their order.
   *
   * @param codecs the codecs as metadata names them
   * @param place the place of the list, for errors
   * @throws MetadataException if the configuration of a codec or the order is wrong
   * @throws dev.zarrreactive.error.UnknownExtensionException if a codec that must be understood is
   *     unknown
   * @throws UnsupportedFeatureException if the chain has more than 64 codecs
   */
  public static CodecChain of(
      List<NamedConfiguration> codecs, LocatedJson place, CodecRegistry registry) {
    return new CodecChain(codecs, place, registry);
  }

  /**
   * Returns false if the chain leaves out an optional codec that is unknown: its chunks are
   * read-only.
   */
  public boolean isWritable() {
    return writable;
  }

  /**
   * Binds this chain to chunks of one representation.
   *
   * @throws MetadataException if a codec does not support the output of the codec before it
   */
  public ChunkCodec bind(ChunkRepresentation chunk) {
    return new ChunkCodec(arrayToArray, arrayToBytes, bytesToBytes, chunk);
  }
}
