package dev.zarrreactive.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ZarrException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The end of a read. */
public enum Outcome {
  /** All stored values. */
  RIGHT_VALUES(null),
  /** Fill value for the missing value. */
  FILL_VALUE(null),
  /** An error: the node is missing. */
  NODE_NOT_FOUND(NodeNotFoundException.class),
  /** An error: the document is not the metadata of a node. */
  METADATA_ERROR(MetadataException.class),
  /** An error: the checksum differs. */
  CHECKSUM_ERROR(ChecksumMismatchException.class),
  /** An error: the bytes do not decode. */
  CODEC_ERROR(CodecException.class),
  /** An error of the store that retries would meet again. */
  STORE_ERROR(StoreException.class),
  /** A transient error of the store. */
  TRANSIENT(TransientStoreException.class),
  /** An error: the store denies access. */
  ACCESS_DENIED(AccessDeniedException.class),
  /** An error: the value was replaced again and again. */
  REPLACED(PreconditionFailedException.class);

  private final @Nullable Class<? extends ZarrException> error;

  Outcome(@Nullable Class<? extends ZarrException> error) {
    this.error = error;
  }

  /** Fails where a read of this outcome has other values. */
  void check(NdArray values, MatrixArray array, Place place) {
    int[] found = values.toIntArray();
    assertThat(error).as("an error, not values that begin with %s", found[0]).isNull();
    assertThat(found)
        .isEqualTo(this == FILL_VALUE ? array.withFillValue(place) : array.expected(place));
  }

  /** Fails where the error is of another kind, or lacks its location. */
  void check(Throwable failure, MatrixArray array, Place place, Set<String> keys) {
    if (failure.getClass() != error) {
      throw new AssertionError("not " + this + " but " + failure, failure);
    }
    Location location = ((ZarrException) failure).location();
    boolean opened = place != Place.METADATA;
    if (opened || location.storeKey() != null) {
      assertThat(location.storeKey()).as("the key of %s", failure).isIn(keys);
    }
    if (opened || location.storeKey() == null) {
      assertThat(location.nodePath()).as("the path of %s", failure).isEqualTo("/" + array.path());
    }
    assertThat(failure).hasMessageContaining(array.path());
  }
}
