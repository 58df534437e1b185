package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter or compressor of Zarr v2.
 *
 * @param id its name
 * @param configuration its other members, without the private settings of programs
 */
public record V2Codec(String id, LocatedJson configuration) {
  static final String PREFIX = "numcodecs.";

  private static final Map<String, Set<String>> MEMBERS =
      Map.ofEntries(
          Map.entry("adler32", Set.of("location")),
          Map.entry("astype", Set.of("encode_dtype", "decode_dtype")),
          Map.entry("base64", Set.of()),
          Map.entry("bitround", Set.of("keepbits")),
          Map.entry("blosc", Set.of("cname", "clevel", "shuffle", "blocksize", "typesize")),
          Map.entry("bz2", Set.of("level")),
          Map.entry("categorize", Set.of("labels", "dtype", "astype")),
          Map.entry("crc32", Set.of("location")),
          Map.entry("crc32c", Set.of("location")),
          Map.entry("delta", Set.of("dtype", "astype")),
          Map.entry("fixedscaleoffset", Set.of("offset", "scale", "dtype", "astype")),
          Map.entry("fletcher32", Set.of()),
          Map.entry("gzip", Set.of("level")),
          Map.entry("jenkins_lookup3", Set.of("initval", "prefix")),
          Map.entry("lz4", Set.of("acceleration")),
          Map.entry("lzma", Set.of("format", "check", "preset", "filters")),
          Map.entry("packbits", Set.of()),
          Map.entry("quantize", Set.of("digits", "dtype", "astype")),
          Map.entry("shuffle", Set.of("elementsize")),
          Map.entry("vlen-array", Set.of("dtype")),
          Map.entry("vlen-bytes", Set.of()),
          Map.entry("vlen-utf8", Set.of()),
          Map.entry("zlib", Set.of("level")),
          Map.entry("zstd", Set.of("level", "checksum")));

  public static V2Codec read(LocatedJson json) {
    LocatedJson id = json.member("id");
    if (id.string().isEmpty()) {
      throw id.expected("the id of a codec");
    }
    return of(id.string(), new LocatedJson(json.object().without("id"), json.location()));
  }

  /** Returns the codec {@code id} without the private settings of programs. */
  public static V2Codec of(String id, LocatedJson members) {
    JsonObject configuration = members.object();
    Set<String> known = MEMBERS.get(id);
    if (known != null) {
      configuration = configuration.only(known);
    }
    return new V2Codec(id, new LocatedJson(configuration, members.location()));
  }

  /** Returns the member, or null if it is absent or null. */
  public @Nullable LocatedJson optional(String member) {
    return configuration.nonNull(member);
  }

  public LocatedJson member(String member) {
    return configuration.member(member);
  }

  /** Returns this codec with the member set. */
  V2Codec with(String member, long value) {
    return new V2Codec(
        id, new LocatedJson(configuration.object().with(member, value), configuration.location()));
  }
}
