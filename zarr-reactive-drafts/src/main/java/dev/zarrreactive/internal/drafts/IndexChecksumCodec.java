package dev.zarrreactive.internal.drafts;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.extension.NamedConfiguration;

/**
 * The last codec of a shard's index in the 2023 draft, whose metadata do not name the index codecs:
 * from May 2023 on writers appended a CRC-32C, before they did not. The codec decodes an index with
 * room for a checksum. If the last four bytes are the checksum of the others, they are removed.
 * Otherwise the index is all but the first four bytes, which belong to an inner chunk.
 */
final class IndexChecksumCodec implements BytesToBytesCodec {
  static final String NAME = "draft.index_checksum";

  private final NamedConfiguration configuration;
  private final BytesToBytesCodec checksum;

  private IndexChecksumCodec(NamedConfiguration configuration, BytesToBytesCodec checksum) {
    this.configuration = configuration;
    this.checksum = checksum;
  }

  static IndexChecksumCodec of(NamedConfiguration use, CodecRegistry registry) {
    use.configuration().allowOnly();
    NamedConfiguration crc32c = NamedConfiguration.of("crc32c");
    return new IndexChecksumCodec(use, (BytesToBytesCodec) registry.create(crc32c));
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return checksum.encodedSize(decoded);
  }

  @Override
  public Bytes encode(Bytes decoded) {
    return checksum.encode(decoded);
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    try {
      return checksum.decode(encoded, target);
    } catch (ChecksumMismatchException e) {
      return encoded.slice(Integer.BYTES, encoded.size() - Integer.BYTES);
    }
  }
}
