package dev.zarrreactive.s3.get;

import org.jspecify.annotations.Nullable;

/**
 * The way of the reads of one bucket.
 *
 * @param gets the reads without the SDK; null where the SDK reads
 * @param region of these reads; empty for any
 */
public record ReadWay(@Nullable SignedGets gets, String region) {
  /** All reads by the SDK. */
  public static final ReadWay BY_SDK = new ReadWay(null, "");
}
