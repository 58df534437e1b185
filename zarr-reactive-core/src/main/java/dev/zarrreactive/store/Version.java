package dev.zarrreactive.store;

/**
 * The opaque identity of one state of a value, such as the ETag of an object. Versions can only be
 * compared for equality, and only versions of the same key. Other bytes have another version; the
 * same bytes, written again, may have another one too. The store defines whether a version outlives
 * the process.
 *
 * @param tag as the store has it, not empty
 */
public record Version(String tag) {
  /** A version. */
  public Version {
    if (tag.isEmpty()) {
      throw new IllegalArgumentException("a version without a tag");
    }
  }

  /** The tag. */
  @Override
  public String toString() {
    return tag;
  }
}
