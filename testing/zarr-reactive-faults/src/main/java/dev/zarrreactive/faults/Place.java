package dev.zarrreactive.faults;

import dev.zarrreactive.faults.server.ReceivedRequest;
import java.util.Locale;

/** The target of the requests that meet a fault. */
public enum Place {
  /** The document {@code zarr.json} of an array. */
  METADATA,
  /** A chunk in a value of its own. */
  CHUNK,
  /** The index at the end of a shard. */
  SHARD_INDEX,
  /** An inner chunk of a shard with a known index. */
  INNER_CHUNK;

  /** Returns the key of the value, without the path of the array. */
  String key() {
    return switch (this) {
      case METADATA -> "zarr.json";
      case CHUNK -> "c/1";
      case SHARD_INDEX, INNER_CHUNK -> "c/0";
    };
  }

  /** Returns true where the array has shards. */
  boolean isInShard() {
    return this == SHARD_INDEX || this == INNER_CHUNK;
  }

  /** Returns true for a request to this place of the right value. */
  boolean isOf(ReceivedRequest asked) {
    String range = String.valueOf(asked.header("range"));
    return asked.method().equals("GET")
        && switch (this) {
          case METADATA, CHUNK -> true;
          case SHARD_INDEX -> isIndex(range);
          case INNER_CHUNK -> !isIndex(range);
        };
  }

  /** Returns true for the index at the end of the shard, and for its rest after a cut. */
  private static boolean isIndex(String range) {
    return range.startsWith("bytes=-")
        || (range.startsWith("bytes=")
            && Long.parseLong(range.substring(6, range.indexOf('-'))) >= MatrixArray.INDEX_OFFSET);
  }

  /** Returns a number of bytes that is a small part of the value. */
  long few() {
    return switch (this) {
      case METADATA -> 50;
      case SHARD_INDEX -> 5;
      case CHUNK, INNER_CHUNK -> 1_000;
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
