package dev.zarrreactive.credentials;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A URL of Hugging Face, {@code hf://[TYPE/]OWNER/NAME[@REVISION][/PATH]}, where the type is {@code
 * datasets}, {@code models} (the default), {@code spaces} or {@code buckets}.
 */
final class HuggingFaceUrl {
  private static final URI HUB = URI.create("https://huggingface.co");
  private static final String BUCKETS = "buckets";
  private static final List<String> TYPES = List.of("datasets", "models", "spaces", BUCKETS);

  private HuggingFaceUrl() {}

  /** Returns the hub of the variable {@code HF_ENDPOINT}, or the public one. */
  static URI hub(Surroundings around) {
    String given = around.variable("HF_ENDPOINT");
    return given == null ? HUB : URI.create(given);
  }

  /**
   * Returns the URL over HTTPS below which the files are.
   *
   * @throws IllegalArgumentException for another form
   */
  static String resolved(URI url, URI hub) {
    String text = url.getRawSchemeSpecificPart();
    String[] parts = (text.startsWith("//") ? text.substring(2) : text).split("/", -1);
    boolean isTyped = TYPES.contains(parts[0]);
    String type = isTyped ? parts[0] : "models";
    int owner = isTyped ? 1 : 0;
    if (parts.length < owner + 2
        || parts[owner].isEmpty()
        || parts[owner + 1].isEmpty()
        || url.getRawQuery() != null
        || url.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "a URL of Hugging Face is hf://datasets/OWNER/NAME@REVISION/PATH, without ? and #");
    }
    String[] named = parts[owner + 1].split("@", 2);
    @Nullable String revision = named.length == 2 ? named[1] : null;
    int rest = owner + 2;
    if ("refs".equals(revision) && parts.length >= rest + 2) {
      revision = "refs%2F" + parts[rest] + "%2F" + parts[rest + 1]; // refs/pr/N, refs/convert/NAME
      rest += 2;
    }
    if (type.equals(BUCKETS) && revision != null) {
      throw new IllegalArgumentException("a bucket of Hugging Face has no revisions");
    }
    StringBuilder resolved = new StringBuilder(hub.toString());
    resolved.append(type.equals("models") ? "" : "/" + type);
    resolved.append('/').append(parts[owner]).append('/').append(named[0]).append("/resolve");
    if (!type.equals(BUCKETS)) {
      resolved.append('/').append(revision == null ? "main" : revision);
    }
    for (String segment : List.of(parts).subList(rest, parts.length)) {
      resolved.append('/').append(segment);
    }
    return resolved.toString();
  }
}
