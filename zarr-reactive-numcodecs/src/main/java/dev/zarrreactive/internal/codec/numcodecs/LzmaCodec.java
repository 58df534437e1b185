package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.compression.StreamDecoder;
import dev.zarrreactive.json.LocatedJson;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;

/**
 * The codec numcodecs.lzma, by an optional library: {@code .xz} streams, one {@code .lzma} file
 * ("alone"), or the output of a chain of filters without a container ("raw").
 */
final class LzmaCodec implements BytesToBytesCodec {
  private static final int XZ = 1;
  private static final int ALONE = 2;
  private static final int RAW = 3;

  private static final int DEFAULT_CHECK = -1;
  private static final int CRC64 = 4;

  /** The default, none, CRC32, CRC64 and SHA-256. */
  private static final Set<Integer> CHECKS = Set.of(DEFAULT_CHECK, 0, 1, CRC64, 10);

  /** The most bytes that any form of LZMA makes of one byte. */
  private static final long MOST_EXPANSION = 16_384;

  private final NamedConfiguration configuration;
  private final int format;
  private final int check;
  private final List<LzmaFilter> filters;

  private LzmaCodec(
      NamedConfiguration configuration, int format, int check, List<LzmaFilter> filters) {
    this.configuration = configuration;
    this.format = format;
    this.check = check;
    this.filters = filters;
  }

  static LzmaCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("format", "check", "preset", "filters");
    int format = OptionalMembers.integer(use, "format", XZ, RAW, XZ);
    int check = OptionalMembers.integer(use, "check", DEFAULT_CHECK, 15, DEFAULT_CHECK);
    if (!CHECKS.contains(check)) {
      throw use.member("check").expected("-1, or one of the checks 0, 1, 4 and 10");
    }
    if (check > 0 && format != XZ) {
      throw use.member("check").error("only format 1 has a check");
    }
    int preset = LzmaFilter.preset(use.optional("preset"));
    LocatedJson filters = OptionalMembers.optional(use, "filters");
    if (filters == null) {
      if (format == RAW) {
        throw use.configuration().error("format 3 needs the member \"filters\"");
      }
      return new LzmaCodec(use, format, check, List.of(LzmaFilter.ofPreset(preset)));
    }
    List<LzmaFilter> chain = LzmaFilter.parse(filters);
    long last = chain.get(chain.size() - 1).id();
    if ((format == XZ && last != LzmaFilter.LZMA2)
        || (format == ALONE && (last != LzmaFilter.LZMA1 || chain.size() > 1))) {
      throw filters.error(
          format == XZ
              ? "in format 1 the last filter must be LZMA2 (33)"
              : "format 2 takes one filter, LZMA1 (" + LzmaFilter.LZMA1 + ")");
    }
    return new LzmaCodec(use, format, check, chain);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return decoded.compressed();
  }

  @Override
  public Bytes encode(Bytes decoded) {
    try {
      return switch (format) {
        case XZ -> LzmaLibrary.xz(decoded, filters, check < 0 ? CRC64 : check);
        case ALONE -> LzmaLibrary.alone(decoded, filters.get(0));
        default -> LzmaLibrary.raw(decoded, filters);
      };
    } catch (IOException e) {
      throw new CodecException("cannot be compressed: " + e.getMessage(), Location.UNKNOWN, e);
    } catch (LinkageError e) {
      throw missing(e);
    }
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    try {
      InputStream in =
          new ByteArrayInputStream(encoded.unsafeArray(), encoded.unsafeOffset(), encoded.size());
      long most = Math.min(target.size().bytes(), MOST_EXPANSION * encoded.size());
      StreamDecoder.Source source =
          switch (format) {
            case XZ -> LzmaLibrary.xz(in, most);
            case ALONE -> LzmaLibrary.alone(in, most);
            default -> LzmaLibrary.raw(in, filters, most);
          };
      DecodeTarget.Region region = StreamDecoder.decode(source, encoded.size(), target);
      int behind = in.available();
      if (behind > 0) {
        throw new CodecException(behind + " bytes follow the data", Location.UNKNOWN);
      }
      return region.toBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a stream over an array does not fail
    } catch (LinkageError e) {
      throw missing(e);
    }
  }

  private static UnsupportedFeatureException missing(LinkageError cause) {
    return new UnsupportedFeatureException(
        "LZMA needs a library that the class path lacks: add org.tukaani:xz",
        Location.UNKNOWN,
        cause);
  }
}
