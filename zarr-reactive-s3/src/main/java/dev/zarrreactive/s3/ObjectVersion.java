package dev.zarrreactive.s3;

import dev.zarrreactive.store.Version;
import org.jspecify.annotations.Nullable;

/**
 * What a version of a value is made of: its ETag, with its quotation marks, and behind an {@code @}
 * the id under which the bucket keeps it, where that is asked for.
 *
 * @param etag with quotation marks; null where the server tells none
 * @param id null where the bucket keeps no versions, or they are not asked for
 */
record ObjectVersion(@Nullable String etag, @Nullable String id) {
  /** The tag of an answer; of objects that are replaced in place the id is {@code null}. */
  static ObjectVersion of(@Nullable String etag, @Nullable String id) {
    String quoted =
        etag == null || etag.isBlank()
            ? null
            : etag.startsWith("\"") || isWeak(etag) ? etag : "\"" + etag + "\"";
    return new ObjectVersion(quoted, id == null || id.isBlank() || id.equals("null") ? null : id);
  }

  /** The tag that {@link #version} was made from. */
  static ObjectVersion of(Version version) {
    String text = version.tag();
    int at = text.indexOf('@', text.lastIndexOf('"') + 1);
    return at < 0
        ? new ObjectVersion(text, null)
        : new ObjectVersion(at == 0 ? null : text.substring(0, at), text.substring(at + 1));
  }

  /** The version; null where nothing is known. */
  @Nullable Version version() {
    String text = (etag == null ? "" : etag) + (id == null ? "" : "@" + id);
    return text.isEmpty() ? null : new Version(text);
  }

  /** The ETag, if it is one that stands for every single byte; else null. */
  @Nullable String strong() {
    return etag == null || isWeak(etag) ? null : etag;
  }

  private static boolean isWeak(String etag) {
    return etag.startsWith("W/");
  }
}
