package dev.zarrreactive.store;

/**
 * What identifies one state of a value, such as the ETag of an object. Opaque: two versions of a
 * key's value are equal or they are not, and those of different keys or stores say nothing about
 * each other. Other bytes have another version; the same bytes, written again, may have another one
 * too. Whether it is kept when a program ends, its store says.
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
