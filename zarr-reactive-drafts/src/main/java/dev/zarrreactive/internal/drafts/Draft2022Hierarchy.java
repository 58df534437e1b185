package dev.zarrreactive.internal.drafts;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.metadata.Deviations;
import dev.zarrreactive.internal.metadata.TranslatedArray;
import dev.zarrreactive.internal.metadata.TranslatedHierarchy;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchy of the 2022 draft of Zarr v3. Its entry point is the {@code zarr.json} at the root of
 * the store, which describes all documents. They are below {@code meta/}, the chunks below {@code
 * data/}. Programs followed an older state of the draft, in which all keys name the root node
 * {@code root}.
 *
 * @param namesRoot true for the keys of programs, such as {@code meta/root/a.array.json}; false for
 *     the keys of the draft, such as {@code meta/a.array.json}
 * @param suffix the end of every document's key, such as {@code .json}
 */
record Draft2022Hierarchy(boolean namesRoot, String suffix) implements TranslatedHierarchy {
  private static final String URI = Draft2022Extensions.URI;

  /** Readers of 3.0 can read later minor versions. */
  private static final Pattern FORMAT = Pattern.compile(URI + "(protocol/)?core/3\\.[0-9]+");

  private static final Pattern SUFFIX = Pattern.compile("[A-Za-z0-9._-]{0,100}");

  /** Returns true if a {@code zarr.json} is the entry point of a hierarchy of the 2022 draft. */
  static boolean isEntryPoint(LocatedJson document) {
    if (!(document.value() instanceof JsonObject object)) {
      return false;
    }
    JsonValue format = object.get("zarr_format");
    return (format instanceof JsonString uri && uri.value().startsWith(URI))
        || (object.get("metadata_encoding") != null && !(format instanceof JsonNumber));
  }

  /** Reads an entry point. */
  static Draft2022Hierarchy read(LocatedJson entryPoint, Deviations deviations) {
    entryPoint.allowOnly("zarr_format", "metadata_encoding", "metadata_key_suffix", "extensions");
    Draft2022Hierarchy hierarchy = of(entryPoint);
    deviations.note(
        entryPoint.member("zarr_format"),
        "the hierarchy follows the 2022 draft of Zarr v3, and can only be read");
    Draft2022Extensions.check(entryPoint, deviations);
    return hierarchy;
  }

  /**
   * Tells the states of the draft apart. The older one has {@code protocol} in its URI, lacks an
   * object for the encoding, and names the root.
   */
  private static Draft2022Hierarchy of(LocatedJson entryPoint) {
    LocatedJson format = entryPoint.member("zarr_format");
    if (!FORMAT.matcher(format.string()).matches()) {
      throw format.expected("\"" + URI + "core/3.0\" or \"" + URI + "protocol/core/3.0\"");
    }
    LocatedJson encoding = entryPoint.member("metadata_encoding");
    boolean older = !(encoding.value() instanceof JsonObject);
    if (older && !encoding.value().equals(format.value())) {
      throw unsupportedEncoding(encoding);
    }
    LocatedJson place = older ? entryPoint : encoding;
    if (!older) {
      if (!encoding.member("type").value().equals(new JsonString("json"))) {
        throw unsupportedEncoding(encoding);
      }
      encoding.allowOnly("type", "metadata_key_suffix");
    }
    LocatedJson suffix = place.optional("metadata_key_suffix");
    if (suffix != null && !SUFFIX.matcher(suffix.string()).matches()) {
      throw suffix.expected("the end of a key, such as \".json\"");
    }
    return new Draft2022Hierarchy(
        older || format.string().contains("/protocol/"),
        suffix == null ? ".json" : suffix.string());
  }

  private static UnsupportedFeatureException unsupportedEncoding(LocatedJson encoding) {
    return new UnsupportedFeatureException(
        "the encoding of documents must be JSON: " + encoding.value(), encoding.location());
  }

  @Override
  public StoreKey arrayDocument(String path) {
    return document(path, "array");
  }

  @Override
  public StoreKey groupDocument(String path) {
    return document(path, "group");
  }

  private StoreKey document(String path, String type) {
    String separator = path.equals("/") && !namesRoot ? "/" : ".";
    return new StoreKey("meta" + below(path) + separator + type + suffix);
  }

  @Override
  public StorePrefix documentsBelow(String group) {
    return new StorePrefix("meta" + below(group) + "/");
  }

  private String below(String path) {
    return (namesRoot ? "/root" : "") + (path.equals("/") ? "" : path);
  }

  @Override
  public String arrayName(String lastPart) {
    return name(lastPart, ".array" + suffix);
  }

  @Override
  public String groupName(String lastPart) {
    return name(lastPart, ".group" + suffix);
  }

  private static String name(String lastPart, String end) {
    return lastPart.endsWith(end) ? lastPart.substring(0, lastPart.length() - end.length()) : "";
  }

  @Override
  public StorePrefix chunks(String array) {
    return new StorePrefix("data" + below(array) + "/");
  }

  /**
   * Returns the key with the letter {@code c} before it. The encoding {@code default}, of the only
   * chunk of an array without dimensions, has that letter itself.
   */
  @Override
  public StoreKey chunk(String array, NamedConfiguration encoding, String encoded) {
    return chunks(array).key((encoding.name().equals("v2") ? "c" : "") + encoded);
  }

  /** Returns {@code c0}, as some programs wrote the chunk that is {@code c} in the draft. */
  @Override
  public @Nullable StoreKey otherScalar(String array) {
    return namesRoot ? chunks(array).key("c0") : null;
  }

  @Override
  public TranslatedArray array(LocatedJson document, boolean otherScalar, Deviations deviations) {
    return Draft2022Array.read(document, namesRoot, !otherScalar, deviations);
  }

  @Override
  public JsonObject group(LocatedJson document, Deviations deviations) {
    document.allowOnly("attributes");
    return Draft2022Array.attributes(document, deviations).object();
  }
}
