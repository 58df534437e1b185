package dev.zarrreactive.virtual;

import org.jspecify.annotations.Nullable;

/**
 * Where the bytes of a value lie outside of its store, as a reference says it. Nothing of it is
 * checked: {@link VirtualContainers} resolves it, and refuses a wrong one.
 *
 * @param url an absolute URL such as {@code s3://bucket/a.nc}, {@code vcc://NAME/a.nc} for a
 *     container that the format has named, or the absolute path of a file
 * @param offset of the first byte in the object
 * @param length in bytes, or {@link #WHOLE}
 * @param checksum of the object; null for none
 */
public record VirtualLocation(
    String url, long offset, long length, @Nullable ObjectChecksum checksum) {
  /** The length of a value that is a whole object; its offset is 0. */
  public static final long WHOLE = -1;

  /** Returns the location of a whole object. */
  public static VirtualLocation whole(String url) {
    return new VirtualLocation(url, 0, WHOLE, null);
  }

  /** Returns the location of a part of an object. */
  public static VirtualLocation of(String url, long offset, long length) {
    return new VirtualLocation(url, offset, length, null);
  }

  /** Returns the same location, of the object that has this checksum; null for any. */
  public VirtualLocation with(@Nullable ObjectChecksum expected) {
    return new VirtualLocation(url, offset, length, expected);
  }

  /** The URL without its query, fragment and user information, and the bytes. */
  @Override
  public String toString() {
    return VirtualUrl.shown(url)
        + (length == WHOLE ? "" : " at byte " + offset + ", " + length + " bytes");
  }
}
