package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.shuffle.Shuffle;
import dev.zarrreactive.json.LocatedJson;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of the frames that are written.
 *
 * @param compressor the compressor of the sub-streams
 * @param level 0 (stored) to 9
 * @param shuffle the shuffle of a block before it is compressed
 * @param typesize bytes per element, at least 1; a header holds no more than {@link
 *     BloscHeader#MAX_TYPESIZE}
 * @param blocksize bytes per block; with 0 the encoder chooses
 */
record BloscConfiguration(
    Compressor compressor, int level, Shuffle shuffle, int typesize, int blocksize) {

  /**
   * Reads the codec's configuration.
   *
   * @throws MetadataException for a configuration that the codec does not have
   */
  static BloscConfiguration parse(NamedConfiguration codec) {
    codec.configuration().allowOnly("cname", "clevel", "shuffle", "typesize", "blocksize");
    Compressor compressor = Compressor.ofName(codec.member("cname").oneOf(Compressor.names()));
    int level = codec.member("clevel").integer(0, 9);
    Shuffle shuffle = Shuffle.ofName(codec.member("shuffle").oneOf(Shuffle.names()));
    int typesize = typesize(codec, shuffle);
    int blocksize = codec.member("blocksize").integer(0, Integer.MAX_VALUE);
    return new BloscConfiguration(compressor, level, shuffle, typesize, blocksize);
  }

  /**
   * Reads the typesize, which a shuffle requires. Without a shuffle any size is read, and ignored.
   */
  private static int typesize(NamedConfiguration codec, Shuffle shuffle) {
    @Nullable LocatedJson typesize = codec.optional("typesize");
    if (shuffle != Shuffle.NONE) {
      if (typesize == null) {
        throw codec
            .configuration()
            .error("the member \"typesize\" is missing; \"" + shuffle.json() + "\" needs it");
      }
      return typesize.integer(1, Integer.MAX_VALUE);
    }
    int ignored = typesize == null ? 1 : typesize.integer(0, Integer.MAX_VALUE);
    return ignored == 0 || ignored > BloscHeader.MAX_TYPESIZE ? 1 : ignored;
  }
}
