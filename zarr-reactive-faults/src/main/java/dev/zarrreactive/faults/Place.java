package dev.zarrreactive.faults;

import java.util.Locale;

/** What a request is for that something goes wrong with. */
public enum Place {
  /** The document {@code zarr.json} of an array. */
  METADATA,
  /** A chunk that is a value of its own. */
  CHUNK,
  /** The index at the end of a shard. */
  SHARD_INDEX,
  /** An inner chunk, when the index of its shard is known. */
  INNER_CHUNK;

  /** The key of the value that such requests are for, without the path of the array. */
  String key() {
    return switch (this) {
      case METADATA -> "zarr.json";
      case CHUNK -> "c/1";
      case SHARD_INDEX, INNER_CHUNK -> "c/0";
    };
  }

  /** True where the array has shards. */
  boolean isInShard() {
    return this == SHARD_INDEX || this == INNER_CHUNK;
  }

  /** True for a request of this place; the value is the right one already. */
  boolean isOf(ReceivedRequest asked) {
    String range = String.valueOf(asked.header("range"));
    return asked.method().equals("GET")
        && switch (this) {
          case METADATA, CHUNK -> true;
          case SHARD_INDEX -> isIndex(range);
          case INNER_CHUNK -> !isIndex(range);
        };
  }

  /** The end of the shard; also what is left of it where its body was cut. */
  private static boolean isIndex(String range) {
    return range.startsWith("bytes=-")
        || (range.startsWith("bytes=")
            && Long.parseLong(range.substring(6, range.indexOf('-'))) >= MatrixArray.INDEX_OFFSET);
  }

  /** A number of bytes that is only a small part of what is there. */
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
