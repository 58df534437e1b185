package dev.zarrreactive.internal.codec.blosc;

/** A sub-stream that cannot be decompressed, and why; its place is added by the decoder. */
final class DamagedStreamException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DamagedStreamException(String what) {
    super(what);
  }

  DamagedStreamException(Throwable cause) {
    super(String.valueOf(cause.getMessage()), cause);
  }

  /** A sub-stream that ends, as far as it goes, with another length than expected. */
  static DamagedStreamException length(long length, int expected) {
    return new DamagedStreamException("decompresses to " + length + " bytes, expected " + expected);
  }
}
