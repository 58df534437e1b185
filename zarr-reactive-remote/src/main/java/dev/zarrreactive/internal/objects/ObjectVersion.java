package dev.zarrreactive.internal.objects;

import dev.zarrreactive.store.Version;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a version: the ETag, with its quotation marks, and behind an {@code @} the version
 * id of the object, where the store asks for ids.
 *
 * @param etag with quotation marks; null where the server sends none
 * @param id null unless the bucket keeps versions and the store asks for ids
 */
public record ObjectVersion(@Nullable String etag, @Nullable String id) {
  /** No version. */
  public static final ObjectVersion NONE = new ObjectVersion(null, null);

  /** Parses a response; the id of an object that is replaced in place is the text {@code null}. */
  public static ObjectVersion of(@Nullable String etag, @Nullable String id) {
    String quoted =
        etag == null || etag.isBlank()
            ? null
            : etag.startsWith("\"") || isWeak(etag) ? etag : "\"" + etag + "\"";
    return new ObjectVersion(quoted, id == null || id.isBlank() || id.equals("null") ? null : id);
  }

  /** Parses the result of {@link #version}. */
  public static ObjectVersion of(Version version) {
    String text = version.tag();
    int at = text.indexOf('@', text.lastIndexOf('"') + 1);
    return at < 0
        ? new ObjectVersion(text, null)
        : new ObjectVersion(at == 0 ? null : text.substring(0, at), text.substring(at + 1));
  }

  /** Returns the version; null where neither part is known. */
  public @Nullable Version version() {
    String text = (etag == null ? "" : etag) + (id == null ? "" : "@" + id);
    return text.isEmpty() ? null : new Version(text);
  }

  /** Returns a strong ETag, with which two values have the same bytes; null for others. */
  public @Nullable String strong() {
    return etag == null || isWeak(etag) ? null : etag;
  }

  private static boolean isWeak(String etag) {
    return etag.startsWith("W/");
  }
}
