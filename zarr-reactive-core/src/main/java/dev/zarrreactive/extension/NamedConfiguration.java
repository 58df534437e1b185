package dev.zarrreactive.extension;

import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import org.jspecify.annotations.Nullable;

/**
 * One use of an extension point: a data type, chunk grid, chunk key encoding, codec or storage
 * transformer, by name, with its configuration and its place in the metadata document
 * (specification: "Extension points"). Reads the object form and the short-hand name.
 */
public final class NamedConfiguration {
  /** zarr-python refuses codecs of this prefix without the member {@code configuration}. */
  private static final String ALWAYS_CONFIGURED = "numcodecs.";

  private final String name;
  private final LocatedJson configuration;
  private final boolean mustUnderstand;
  private final LocatedJson source;

  private NamedConfiguration(
      String name, LocatedJson configuration, boolean mustUnderstand, LocatedJson source) {
    this.name = name;
    this.configuration = configuration;
    this.mustUnderstand = mustUnderstand;
    this.source = source;
  }

  /**
   * Reads an extension object or its short-hand.
   *
   * @throws MetadataException where it is neither, or has a member the specification does not know
   */
  public static NamedConfiguration parse(LocatedJson json) {
    JsonValue value = json.value();
    if (value instanceof JsonString shortHand) {
      return new NamedConfiguration(nonEmpty(shortHand.value(), json), empty(json), true, json);
    }
    if (!(value instanceof JsonObject)) {
      throw json.expected("a name, or an object with the member \"name\"");
    }
    json.allowOnly("name", "configuration", "must_understand");
    LocatedJson name = json.member("name");
    LocatedJson configuration = json.optional("configuration");
    if (configuration == null) {
      configuration = empty(json);
    } else {
      configuration.object();
    }
    LocatedJson mustUnderstand = json.optional("must_understand");
    return new NamedConfiguration(
        nonEmpty(name.string(), name),
        configuration,
        mustUnderstand == null || mustUnderstand.bool(),
        json);
  }

  private static LocatedJson empty(LocatedJson json) {
    return new LocatedJson(JsonObject.EMPTY, json.location().child("configuration"));
  }

  private static String nonEmpty(String name, LocatedJson place) {
    if (name.isEmpty()) {
      throw place.expected("a name");
    }
    return name;
  }

  /** A use of the extension {@code name} without a configuration. */
  public static NamedConfiguration of(String name) {
    return of(name, JsonObject.EMPTY);
  }

  /** A use of the extension {@code name}, made by a program. */
  public static NamedConfiguration of(String name, JsonObject configuration) {
    JsonObject json = JsonObject.EMPTY.with("name", name);
    if (!configuration.members().isEmpty()) {
      json = json.with("configuration", configuration);
    }
    return parse(LocatedJson.of(json));
  }

  /**
   * A use of the extension {@code name} in a document that has it in another form.
   *
   * @param configuration the configuration's members, which errors are about
   */
  public static NamedConfiguration of(String name, LocatedJson configuration) {
    configuration.object();
    return new NamedConfiguration(
        nonEmpty(name, configuration), configuration, true, configuration);
  }

  /** The extension's name, compared byte for byte. */
  public String name() {
    return name;
  }

  /** The configuration: an object, empty where none was written. */
  public LocatedJson configuration() {
    return configuration;
  }

  /** The member {@code name} of the configuration, or null. */
  public @Nullable LocatedJson optional(String member) {
    return configuration.optional(member);
  }

  /** The member {@code name} of the configuration; an error where it is missing. */
  public LocatedJson member(String member) {
    return configuration.member(member);
  }

  /** False where a reader may ignore the extension. */
  public boolean mustUnderstand() {
    return mustUnderstand;
  }

  /**
   * For the extension points that no reader may ignore.
   *
   * @throws MetadataException where {@code must_understand} is false
   */
  public void requireUnderstanding(String what) {
    if (!mustUnderstand) {
      throw error(what + " must be understood; \"must_understand\": false is not allowed here");
    }
  }

  /** The extension as it stands in the document. */
  public LocatedJson source() {
    return source;
  }

  /** An error at the extension's place. */
  public MetadataException error(String message) {
    return source.error("\"" + name + "\": " + message);
  }

  /**
   * The object form, which every reader takes: the name, and the configuration where it has
   * members, or where readers ask for an empty one too: in the codecs {@code numcodecs.*}.
   */
  public JsonObject toJson() {
    JsonObject json = JsonObject.EMPTY.with("name", name);
    if (!configuration.object().members().isEmpty() || name.startsWith(ALWAYS_CONFIGURED)) {
      json = json.with("configuration", configuration.object());
    }
    return mustUnderstand ? json : json.with("must_understand", false);
  }

  /** Equal where name, configuration and must_understand are equal, wherever they stand. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NamedConfiguration that && toJson().equals(that.toJson());
  }

  @Override
  public int hashCode() {
    return toJson().hashCode();
  }

  @Override
  public String toString() {
    return toJson().toString();
  }
}
