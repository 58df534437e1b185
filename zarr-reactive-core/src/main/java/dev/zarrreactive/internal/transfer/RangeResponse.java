package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.VersionedBytes;
import java.util.function.Supplier;

/** The response to a {@link RangeRequest} for a value that exists. */
public sealed interface RangeResponse {
  /** The requested bytes, or the news that they are unchanged. */
  record Success(VersionedBytes value) implements RangeResponse {}

  /**
   * A status without bytes of the value: a condition or a range that the server refuses.
   *
   * @param status such as 304, 412 and 416
   * @param url where the value is, for messages; without secrets
   * @param total the size of the value; -1 where the response does not say
   * @param error the error for the status, where the request did not allow for it
   */
  record Refused(int status, String url, long total, Supplier<StoreException> error)
      implements RangeResponse {}
}
