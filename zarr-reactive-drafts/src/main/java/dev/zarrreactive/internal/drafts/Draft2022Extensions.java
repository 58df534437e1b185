package dev.zarrreactive.internal.drafts;

import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.metadata.Deviations;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.LocatedJson;

/** Checks the extensions of documents of the 2022 draft. */
final class Draft2022Extensions {
  /** The prefix of the URIs that the project itself defined. */
  static final String URI = "https://purl.org/zarr/spec/";

  private Draft2022Extensions() {}

  /**
   * Checks the extensions of a hierarchy or an array. Optional ones are ignored.
   *
   * @throws UnsupportedFeatureException if one must be understood
   */
  static void check(LocatedJson document, Deviations deviations) {
    LocatedJson extensions = document.optional("extensions");
    if (extensions == null) {
      deviations.note(document, "the member \"extensions\" is missing, and read as an empty list");
      return;
    }
    for (LocatedJson extension : extensions.elements()) {
      String uri = extension.member("extension").string();
      if (!new JsonBoolean(false).equals(extension.object().get("must_understand"))) {
        throw new UnsupportedFeatureException(
            "the extension \"" + uri + "\" is unsupported", extension.location());
      }
      deviations.note(extension, "the extension \"" + uri + "\" is unknown, and ignored");
    }
  }
}
