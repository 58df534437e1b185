package dev.zarrreactive.images;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;

/**
 * The codec {@code imagecodecs_jpeg} of Zarr v2, of references to TIFF for example: the bytes of a
 * chunk are one JPEG image. It cannot encode, since bytes have no rows.
 */
record JpegFilter(NamedConfiguration configuration, JpegOptions options)
    implements BytesToBytesCodec {
  static final String NAME = "numcodecs." + JpegCodec.NAME;

  static JpegFilter of(NamedConfiguration use) {
    return new JpegFilter(use, JpegOptions.parse(use));
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return decoded.compressed();
  }

  @Override
  public Bytes encode(Bytes decoded) {
    throw new UnsupportedFeatureException(
        "arrays of Zarr v2 with JPEG can only be read; those of Zarr v3 with "
            + JpegCodec.NAME
            + " can be written",
        configuration.source().location());
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    Bytes pixels = Bytes.wrap(options.decode(encoded, target.size(), null));
    DecodeTarget.Region region = target.allocate(pixels.size());
    pixels.copyTo(0, region.array(), region.offset(), pixels.size());
    return region.toBytes();
  }
}
