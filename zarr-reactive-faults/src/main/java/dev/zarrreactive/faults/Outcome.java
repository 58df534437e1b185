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

/** What a read ends with. */
public enum Outcome {
  /** Every value as it was stored. */
  RIGHT_VALUES(null),
  /** Fill value wherever nothing is stored. */
  FILL_VALUE(null),
  /** There is no such node. */
  NODE_NOT_FOUND(NodeNotFoundException.class),
  /** The document is not that of a node. */
  METADATA_ERROR(MetadataException.class),
  /** The bytes have another checksum. */
  CHECKSUM_ERROR(ChecksumMismatchException.class),
  /** The bytes do not decode. */
  CODEC_ERROR(CodecException.class),
  /** The store failed, and would fail again. */
  STORE_ERROR(StoreException.class),
  /** The store failed, and need not fail again. */
  TRANSIENT(TransientStoreException.class),
  /** The store refused. */
  ACCESS_DENIED(AccessDeniedException.class),
  /** The value was replaced time and again. */
  REPLACED(PreconditionFailedException.class);

  private final @Nullable Class<? extends ZarrException> error;

  Outcome(@Nullable Class<? extends ZarrException> error) {
    this.error = error;
  }

  /** Fails where {@code values} are not these. */
  void check(NdArray values, MatrixArray array, Place place) {
    int[] found = values.toIntArray();
    assertThat(error).as("an error, not values that begin with %s", found[0]).isNull();
    assertThat(found)
        .isEqualTo(this == FILL_VALUE ? array.withFillValue(place) : array.expected(place));
  }

  /** Fails where the error is another, or does not say where it is from. */
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
