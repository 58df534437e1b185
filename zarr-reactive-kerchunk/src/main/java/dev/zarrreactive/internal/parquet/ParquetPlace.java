package dev.zarrreactive.internal.parquet;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;

/**
 * Makes the errors of one file of Parquet.
 *
 * @param file the place of the file
 * @param part what is read of it, such as {@code the footer}
 */
record ParquetPlace(Location file, String part) {
  ParquetPlace in(String other) {
    return new ParquetPlace(file, other);
  }

  /** Returns the error of bytes that no writer makes. */
  StoreException damaged(String what) {
    return new StoreException("the file of Parquet is damaged, in " + part + ": " + what, file);
  }

  /** Returns the error of what writers of references do not use. */
  UnsupportedFeatureException unsupported(String what) {
    return new UnsupportedFeatureException(
        "the file of Parquet has "
            + what
            + " in "
            + part
            + ", which is not supported; fsspec and VirtualiZarr write flat columns, plain or with"
            + " a dictionary, compressed by zstd, snappy or gzip",
        file);
  }
}
