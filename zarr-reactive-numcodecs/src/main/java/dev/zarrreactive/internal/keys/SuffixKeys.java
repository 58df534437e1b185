package dev.zarrreactive.internal.keys;

import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import org.jspecify.annotations.Nullable;

/**
 * The chunk key encoding {@code suffix}: keys of another encoding with a text behind them, such as
 * {@code c/0/1.tiff}. Its text has the name of the other one in two spellings.
 */
record SuffixKeys(ChunkKeyEncoding base, String suffix) implements ChunkKeyEncoding {
  static final String NAME = "suffix";

  private static final String BASE = "base_encoding";
  private static final String BASE_WITH_HYPHEN = "base-encoding";

  static SuffixKeys of(NamedConfiguration use) {
    use.configuration().allowOnly("suffix", BASE, BASE_WITH_HYPHEN);
    LocatedJson given = use.optional(BASE_WITH_HYPHEN);
    LocatedJson base = given == null ? use.member(BASE) : given;
    LocatedJson suffix = use.member("suffix");
    KeyText.check(suffix, suffix.string());
    return new SuffixKeys(ChunkKeyEncoding.of(NamedConfiguration.parse(base)), suffix.string());
  }

  @Override
  public long @Nullable [] decode(String key, int rank) {
    return key.endsWith(suffix)
        ? base.decode(key.substring(0, key.length() - suffix.length()), rank)
        : null;
  }

  @Override
  public String encode(long... index) {
    return base.encode(index) + suffix;
  }
}
