package dev.zarrreactive.convention;

import java.util.Optional;

/**
 * A convention that attributes declare.
 *
 * @param uuid the UUID; empty without
 * @param name the name; empty without
 * @param schemaUrl the URL of the schema; empty without
 * @param specUrl the URL of the text; empty without
 * @param known the convention, if it is a known one
 */
public record DeclaredConvention(
    String uuid, String name, String schemaUrl, String specUrl, Optional<ZarrConvention> known) {
  /** Returns the name, or else what there is. */
  @Override
  public String toString() {
    return !name.isEmpty() ? name : !uuid.isEmpty() ? uuid : schemaUrl + specUrl;
  }
}
