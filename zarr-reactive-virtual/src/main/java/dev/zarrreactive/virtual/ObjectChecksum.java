package dev.zarrreactive.virtual;

import java.time.Instant;

/** What a reference says of the object that it was made of, so that no other bytes are read. */
public sealed interface ObjectChecksum {
  /**
   * The ETag of the object. Of a file it is what object_store makes of its number, time and size,
   * of which the time counts here.
   *
   * @param value as the server sent it; the quotation marks may be missing
   */
  record ETag(String value) implements ObjectChecksum {
    @Override
    public String toString() {
      return "ETag " + value;
    }
  }

  /**
   * The time after which the object was not modified.
   *
   * @param time of which whole seconds count
   */
  record LastModified(Instant time) implements ObjectChecksum {
    @Override
    public String toString() {
      return "not modified after " + time;
    }
  }
}
