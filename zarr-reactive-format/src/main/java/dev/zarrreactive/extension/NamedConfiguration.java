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
public class NamedConfiguration {
  /** The prefix of codecs that zarr-python refuses without the member {@code configuration}. */
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

  /** Creates a use of the extension {@code name}, for a class with a typed configuration. */
  protected NamedConfiguration(String name, JsonObject configuration) {
    this(of(name, configuration));
  }

  private NamedConfiguration(NamedConfiguration same) {
    this(same.name, same.configuration, same.mustUnderstand, same.source);
  }

  /**
   * Reads an extension object or the short-hand name.
   *
   * @throws MetadataException if it is neither, or has an unknown member
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

  /** Returns a use of the extension {@code name} without a configuration. */
  public static NamedConfiguration of(String name) {
    return of(name, JsonObject.EMPTY);
  }

  /** Returns a use of the extension {@code name} with a configuration that a program made. */
  public static NamedConfiguration of(String name, JsonObject configuration) {
    JsonObject json = JsonObject.EMPTY.with("name", name);
    if (!configuration.members().isEmpty()) {
      json = json.with("configuration", configuration);
    }
    return parse(LocatedJson.of(json));
  }

  /**
   * Returns a use of the extension {@code name} that a document spells in a form of its own.
   *
   * @param configuration the configuration, and the place of errors
   */
  public static NamedConfiguration of(String name, LocatedJson configuration) {
    configuration.object();
    return new NamedConfiguration(
        nonEmpty(name, configuration), configuration, true, configuration);
  }

  /** The extension's name, compared byte for byte. */
  public final String name() {
    return name;
  }

  /** The configuration, an empty object by default. */
  public final LocatedJson configuration() {
    return configuration;
  }

  /** The member {@code name} of the configuration, or null. */
  public final @Nullable LocatedJson optional(String member) {
    return configuration.optional(member);
  }

  /** The member {@code name} of the configuration. A missing member is an error. */
  public final LocatedJson member(String member) {
    return configuration.member(member);
  }

  /** Returns false if a reader may ignore the extension. */
  public final boolean mustUnderstand() {
    return mustUnderstand;
  }

  /**
   * Refuses a use that readers may ignore, for extension points that they must understand.
   *
   * @throws MetadataException if {@code must_understand} is false
   */
  public final void requireUnderstanding(String what) {
    if (!mustUnderstand) {
      throw error(what + " must be understood; \"must_understand\": false is not allowed here");
    }
  }

  /** The extension as the document has it. */
  public final LocatedJson source() {
    return source;
  }

  /** Returns an error at the extension's place. */
  public final MetadataException error(String message) {
    return source.error("\"" + name + "\": " + message);
  }

  /**
   * Returns the object form, which every reader accepts. It has a configuration if that has
   * members; the codecs {@code numcodecs.*} always have one, since zarr-python requires it.
   */
  public final JsonObject toJson() {
    JsonObject json = JsonObject.EMPTY.with("name", name);
    if (!configuration.object().members().isEmpty() || name.startsWith(ALWAYS_CONFIGURED)) {
      json = json.with("configuration", configuration.object());
    }
    return mustUnderstand ? json : json.with("must_understand", false);
  }

  /** Compares name, configuration and must_understand, but not the places in the document. */
  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof NamedConfiguration that && toJson().equals(that.toJson());
  }

  @Override
  public final int hashCode() {
    return toJson().hashCode();
  }

  @Override
  public final String toString() {
    return toJson().toString();
  }
}
