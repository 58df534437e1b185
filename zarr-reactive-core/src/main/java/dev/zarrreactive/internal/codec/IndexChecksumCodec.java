package dev.zarrreactive.internal.codec;

import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.store.Bytes;

/**
 * The end of shards in the 2023 draft, which did not say in the metadata how their index is coded:
 * from May 2023 on with a CRC-32C behind it, before without. Decodes the index with room for a
 * checksum. Where the last four bytes are that of the rest, it is one; else the last bytes are the
 * index, and the first four belong to an inner chunk.
 */
final class IndexChecksumCodec implements BytesToBytesCodec {
  static final String NAME = "draft.index_checksum";

  private final NamedConfiguration configuration;
  private final ChecksumCodec checksum =
      ChecksumCodec.crc32c(NamedConfiguration.of(ChecksumCodec.CRC32C_NAME));

  private IndexChecksumCodec(NamedConfiguration configuration) {
    this.configuration = configuration;
  }

  static IndexChecksumCodec of(NamedConfiguration use) {
    use.configuration().allowOnly();
    return new IndexChecksumCodec(use);
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
