package dev.zarrreactive.internal.codec.compression;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;

/** The {@code zstd} codec (RFC 8878). */
final class ZstdCodec implements BytesToBytesCodec {
  static final String NAME = "zstd";

  private static final int LOWEST_LEVEL = -131072;
  private static final int HIGHEST_LEVEL = 22;

  private final NamedConfiguration configuration;
  private final int level;
  private final boolean checksum;

  private ZstdCodec(NamedConfiguration configuration, int level, boolean checksum) {
    this.configuration = configuration;
    this.level = level;
    this.checksum = checksum;
  }

  static ZstdCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("level", "checksum");
    LocatedJson checksum = use.optional("checksum");
    return new ZstdCodec(
        use,
        use.member("level").integer(LOWEST_LEVEL, HIGHEST_LEVEL),
        checksum != null && checksum.bool());
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
    return ZstdEncoder.encode(decoded, level, checksum);
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    ZstdFrames frames = ZstdFrames.of(encoded);
    SizeBound bound = target.size();
    if (frames.size().exact()) {
      target.check(frames.size().bytes());
    } else if (bound.exact() && !frames.size().allows(bound.bytes())) {
      throw new CodecException(
          "decodes to " + frames.size() + ", expected " + bound, Location.UNKNOWN);
    }
    if (frames.size().exact() || bound.exact()) {
      DecodeTarget.Region region = target.allocate(Math.min(frames.size().bytes(), bound.bytes()));
      int wanted = frames.hasChecksum() ? region.length() : target.wantedTo();
      target.check(ZstdDecoder.decode(encoded, frames, region, wanted));
      return region.toBytes();
    }
    long most = Math.min(Math.min(frames.size().bytes(), bound.bytes()), Bytes.MAX_SIZE);
    DecodeTarget.Region scratch = DecodeTarget.fresh(SizeBound.exactly(most)).allocate(most);
    int size = ZstdDecoder.decode(encoded, frames, scratch, scratch.length());
    DecodeTarget.Region region = target.allocate(size);
    System.arraycopy(scratch.array(), 0, region.array(), region.offset(), size);
    return region.toBytes();
  }
}
