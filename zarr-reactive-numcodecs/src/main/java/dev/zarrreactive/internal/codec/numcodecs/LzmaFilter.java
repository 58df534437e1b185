package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.json.LocatedJson;
import java.math.BigInteger;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One filter of an LZMA chain, with the numbers and the parameters of liblzma. Missing parameters
 * follow from the preset.
 *
 * @param id the number of the filter
 * @param preset 0 to 9
 * @param distance of {@link #DELTA}: 1 to 256
 * @param dictionary the largest distance of a match, in bytes
 * @param lc literal context bits
 * @param lp literal position bits
 * @param pb position bits
 */
record LzmaFilter(
    long id,
    int preset,
    int distance,
    OptionalInt dictionary,
    OptionalInt lc,
    OptionalInt lp,
    OptionalInt pb) {
  static final long DELTA = 3;
  static final long X86 = 4;
  static final long POWERPC = 5;
  static final long IA64 = 6;
  static final long ARM = 7;
  static final long ARM_THUMB = 8;
  static final long SPARC = 9;
  static final long LZMA2 = 0x21;
  static final long LZMA1 = 0x4000_0000_0000_0001L;

  private static final int DEFAULT_PRESET = 6;
  private static final int SMALLEST_DICTIONARY = 4096;
  private static final int LARGEST_DICTIONARY = 768 << 20;

  /** The bit of a preset that asks for more effort. The format is the same. */
  private static final long EXTREME = 1L << 31;

  /** Returns LZMA2 with a preset. */
  static LzmaFilter ofPreset(int preset) {
    return new LzmaFilter(
        LZMA2,
        preset,
        1,
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty());
  }

  /**
   * Reads a list of filters: LZMA1 or LZMA2 as the last one, before it filters that do not
   * compress.
   */
  static List<LzmaFilter> parse(LocatedJson json) {
    List<LocatedJson> elements = json.elements();
    if (elements.isEmpty() || elements.size() > 4) {
      throw json.expected("1 to 4 filters");
    }
    List<LzmaFilter> filters = elements.stream().map(LzmaFilter::filter).toList();
    for (int i = 0; i < filters.size(); i++) {
      boolean last = i == filters.size() - 1;
      if (filters.get(i).compresses() != last) {
        throw elements
            .get(i)
            .error("only the last filter is LZMA1 or LZMA2; found " + filters.get(i).id);
      }
    }
    return filters;
  }

  /** Returns whether this is LZMA1 or LZMA2. */
  boolean compresses() {
    return id == LZMA1 || id == LZMA2;
  }

  private static LzmaFilter filter(LocatedJson json) {
    BigInteger number = json.member("id").integer();
    long id = number.bitLength() > 63 ? -1 : number.longValue();
    if (id == LZMA1 || id == LZMA2) {
      json.allowOnly(
          "id", "preset", "dict_size", "lc", "lp", "pb", "mode", "nice_len", "mf", "depth");
      return new LzmaFilter(
          id,
          preset(json.optional("preset")),
          1,
          integer(json, "dict_size", SMALLEST_DICTIONARY, LARGEST_DICTIONARY),
          integer(json, "lc", 0, 4),
          integer(json, "lp", 0, 4),
          integer(json, "pb", 0, 4));
    }
    if (id < DELTA || id > SPARC) {
      throw json.member("id").error("unknown filter; known are 3 to 9, 33 and " + LZMA1);
    }
    json.allowOnly("id", id == DELTA ? "dist" : "start_offset");
    integer(json, "start_offset", 0, 0);
    int distance = integer(json, "dist", 1, 256).orElse(1);
    return new LzmaFilter(
        id,
        DEFAULT_PRESET,
        distance,
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty());
  }

  /** Reads a preset with or without {@link #EXTREME}, by default 6. */
  static int preset(@Nullable LocatedJson json) {
    if (json == null || json.isNull()) {
      return DEFAULT_PRESET;
    }
    long preset = json.integer(0, EXTREME + 9) & ~EXTREME;
    if (preset > 9) {
      throw json.expected("a preset from 0 to 9");
    }
    return (int) preset;
  }

  private static OptionalInt integer(LocatedJson json, String member, int min, int max) {
    LocatedJson value = json.optional(member);
    return value == null ? OptionalInt.empty() : OptionalInt.of(value.integer(min, max));
  }
}
