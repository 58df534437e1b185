package dev.zarrreactive.kerchunk;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;

/** Counts the bytes that the references of one file hold, up to the bound of the options. */
final class HeldBytes {
  private final long most;
  private final Location place;
  private long held;

  HeldBytes(long most, Location place) {
    this.most = most;
    this.place = place;
  }

  /**
   * Counts more bytes.
   *
   * @throws UnsupportedFeatureException where they are too many
   */
  void add(long more) {
    held += more;
    if (held > most) {
      throw new UnsupportedFeatureException(
          "the keys, URLs and data of the references take more than "
              + most
              + " bytes, the bound of the options; KerchunkOptions.withMaxBytes raises it for"
              + " references that you trust",
          place);
    }
  }
}
