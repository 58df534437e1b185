package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.StoreKey;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A hierarchy of the 2022 draft of Zarr v3: what its entry point, the {@code zarr.json} at the root
 * of the store, says of all its documents, and how these are read.
 */
public final class Draft2022Hierarchy {
  /** What the URIs of everything that the project itself defined begin with. */
  static final String URI = "https://purl.org/zarr/spec/";

  /** Later minor versions promised to be readable by readers of 3.0. */
  private static final Pattern FORMAT = Pattern.compile(URI + "(protocol/)?core/3\\.[0-9]+");

  private static final Pattern SUFFIX = Pattern.compile("[A-Za-z0-9._-]{0,100}");

  private final Draft2022Layout layout;
  private final Drafts drafts;
  private final MetadataLimits limits;
  private final List<MetadataWarning> warnings;

  private Draft2022Hierarchy(LocatedJson entryPoint, Drafts drafts, MetadataLimits limits) {
    this.drafts = drafts;
    this.limits = limits;
    Leniencies leniencies = leniencies();
    entryPoint.allowOnly("zarr_format", "metadata_encoding", "metadata_key_suffix", "extensions");
    layout = layout(entryPoint);
    leniencies.note(
        entryPoint.member("zarr_format"),
        "the hierarchy is written to " + Draft.OF_2022 + ", so that it can only be read");
    checkExtensions(entryPoint, leniencies);
    warnings = leniencies.warnings();
  }

  /** True where a {@code zarr.json} is the entry point of a hierarchy of the 2022 draft. */
  public static boolean isEntryPoint(LocatedJson document) {
    if (!(document.value() instanceof JsonObject object)) {
      return false;
    }
    JsonValue format = object.get("zarr_format");
    return (format instanceof JsonString uri && uri.value().startsWith(URI))
        || (object.get("metadata_encoding") != null && !(format instanceof JsonNumber));
  }

  /**
   * Reads an entry point.
   *
   * @param limits how large the documents of the hierarchy may be
   * @throws dev.zarrreactive.error.MetadataException where it breaks a rule of the draft
   * @throws UnsupportedFeatureException where an extension of it is unknown here
   */
  public static Draft2022Hierarchy read(
      LocatedJson entryPoint, Drafts drafts, MetadataLimits limits) {
    return new Draft2022Hierarchy(entryPoint, drafts, limits);
  }

  /**
   * The older state of the draft has the word {@code protocol} in its URI, and no object for the
   * encoding; that is the one which names the root.
   */
  private static Draft2022Layout layout(LocatedJson entryPoint) {
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
    return new Draft2022Layout(
        older || format.string().contains("/protocol/"),
        suffix == null ? ".json" : suffix.string());
  }

  private static UnsupportedFeatureException unsupportedEncoding(LocatedJson encoding) {
    return new UnsupportedFeatureException(
        "documents in another encoding than JSON are unsupported: " + encoding.value(),
        encoding.location());
  }

  /** Those that may be ignored are; an array has them too. */
  static void checkExtensions(LocatedJson document, Leniencies leniencies) {
    LocatedJson extensions = document.optional("extensions");
    if (extensions == null) {
      leniencies.note(document, "the member \"extensions\" is missing, and taken for none");
      return;
    }
    for (LocatedJson extension : extensions.elements()) {
      String uri = extension.member("extension").string();
      if (!new JsonBoolean(false).equals(extension.object().get("must_understand"))) {
        throw new UnsupportedFeatureException(
            "the extension \"" + uri + "\" is unsupported", extension.location());
      }
      leniencies.note(extension, "the extension \"" + uri + "\" is unknown here and ignored");
    }
  }

  /** Where documents and chunks are. */
  public Draft2022Layout layout() {
    return layout;
  }

  /** What a node warns of: what the hierarchy does, and what its own document adds. */
  List<MetadataWarning> warnings(Leniencies ofNode) {
    List<MetadataWarning> all = new ArrayList<>(warnings);
    all.addAll(ofNode.warnings());
    return List.copyOf(all);
  }

  Leniencies leniencies() {
    return new Leniencies(Draft.OF_2022, drafts);
  }

  /**
   * Reads the document of an array.
   *
   * @param document the stored bytes
   * @param path the node's path
   * @param scalarKey the name of the only chunk where the array has no dimensions: {@code c}, as
   *     the draft has it, or {@code c0}, as some programs wrote it
   * @throws dev.zarrreactive.error.MetadataException where the document breaks a rule
   * @throws UnsupportedFeatureException where the array cannot be described as one of Zarr v3
   */
  public ArrayMetadata array(Bytes document, NodePath path, String scalarKey) {
    LocatedJson json = parse(document, path, layout.arrayDocument(path));
    limits.checkRank(json);
    return ArrayMetadata.readDraft2022(json, this, scalarKey.equals("c"));
  }

  /** Reads the document of a group; as {@link #array}. */
  public GroupMetadata group(Bytes document, NodePath path) {
    return GroupMetadata.readDraft2022(parse(document, path, layout.groupDocument(path)), this);
  }

  private LocatedJson parse(Bytes document, NodePath path, StoreKey key) {
    return JsonDocument.parse(
        document.asByteBuffer(), Location.ofNode(path.value()).key(key.value()), limits.elements());
  }

  /** A group without a document, which nodes below it imply. */
  public GroupMetadata implicitGroup(NodePath path) {
    Location place = Location.ofNode(path.value()).key(layout.groupDocument(path).value());
    return GroupMetadata.implicit(
        new LocatedJson(JsonObject.EMPTY, place.pointer("")), Provenance.of2022(this, warnings));
  }
}
