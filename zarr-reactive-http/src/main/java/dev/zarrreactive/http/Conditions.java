package dev.zarrreactive.http;

import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on the version of a value, which is its ETag, as they are sent; what comes is compared
 * with them, too.
 */
final class Conditions {
  private Conditions() {}

  /** True for an ETag that stands for values that are as good as equal. */
  static boolean isWeak(String tag) {
    return tag.startsWith("W/");
  }

  /** Adds the header of a condition. No weak tag ever matches in {@code If-Match}. */
  static void addTo(Map<String, String> headers, ReadCondition condition) {
    Version required = condition.required();
    Version known = condition.known();
    if (required != null && !isWeak(required.tag())) {
      headers.put("if-match", required.tag());
    }
    if (known != null) {
      headers.put("if-none-match", known.tag());
    }
  }

  static @Nullable Version version(@Nullable String tag) {
    return tag == null ? null : new Version(tag);
  }
}
