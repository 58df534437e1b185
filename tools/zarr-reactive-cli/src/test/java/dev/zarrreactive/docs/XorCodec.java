package dev.zarrreactive.docs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;

// docs: codec
/** Combines every byte with a key by exclusive or. */
final class XorCodec implements BytesToBytesCodec {
  static final String NAME = "example.xor";

  private final NamedConfiguration configuration;
  private final int key;

  private XorCodec(NamedConfiguration configuration, int key) {
    this.configuration = configuration;
    this.key = key;
  }

  /** Reads the configuration, and refuses one that is wrong: nobody asks again later. */
  static XorCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("key");
    return new XorCodec(use, use.member("key").integer(0, 255));
  }

  /** The codec as it is named in an array's metadata. */
  static NamedConfiguration withKey(int key) {
    return NamedConfiguration.of(NAME, JsonObject.EMPTY.with("key", key));
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  /** As many bytes as there were; a compressor returns {@code decoded.compressed()}. */
  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return decoded;
  }

  @Override
  public Bytes encode(Bytes decoded) {
    byte[] encoded = new byte[decoded.size()];
    xor(decoded, encoded, 0);
    return Bytes.wrap(encoded);
  }

  /** Memory comes from the target, which refuses a size that cannot be. */
  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    DecodeTarget.Region region = target.allocate(encoded.size());
    xor(encoded, region.array(), region.offset());
    return region.toBytes();
  }

  private void xor(Bytes from, byte[] to, int offset) {
    for (int i = 0; i < from.size(); i++) {
      to[offset + i] = (byte) (from.get(i) ^ key);
    }
  }
}
// docs: end
