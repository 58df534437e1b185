package dev.zarrreactive.metadata;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.metadata.Draft2022Extensions;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.spi.Spi;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A hierarchy of the 2022 draft of Zarr v3. Its entry point is the {@code zarr.json} at the root of
 * the store, which describes all documents.
 */
@Spi
public final class Draft2022Hierarchy {
  private static final String URI = Draft2022Extensions.URI;

  /** Readers of 3.0 can read later minor versions. */
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
        "the hierarchy follows " + Draft.OF_2022 + ", and can only be read");
    Draft2022Extensions.check(entryPoint, leniencies);
    warnings = leniencies.warnings();
  }

  /** Returns true if a {@code zarr.json} is the entry point of a hierarchy of the 2022 draft. */
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
   * @param limits the limits of the hierarchy's documents
   * @throws dev.zarrreactive.error.MetadataException if it breaks a rule of the draft
   * @throws UnsupportedFeatureException if it has an unknown extension
   */
  public static Draft2022Hierarchy read(
      LocatedJson entryPoint, Drafts drafts, MetadataLimits limits) {
    return new Draft2022Hierarchy(entryPoint, drafts, limits);
  }

  /**
   * Tells the states of the draft apart. The older one has {@code protocol} in its URI, lacks an
   * object for the encoding, and names the root.
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
        "the encoding of documents must be JSON: " + encoding.value(), encoding.location());
  }

  /** The keys of documents and chunks. */
  public Draft2022Layout layout() {
    return layout;
  }

  /** Returns the provenance of a node, with the warnings of the hierarchy and of the node. */
  Provenance provenance(Leniencies ofNode) {
    List<MetadataWarning> all = new ArrayList<>(warnings);
    all.addAll(ofNode.warnings());
    return Provenance.of2022(this, List.copyOf(all));
  }

  Leniencies leniencies() {
    return new Leniencies(Draft.OF_2022, drafts);
  }

  /**
   * Reads the document of an array.
   *
   * @param document the stored bytes
   * @param path the node's path
   * @param scalarKey the name of the only chunk of a scalar: {@code c}, as in the draft, or {@code
   *     c0}, as some programs wrote it
   * @throws dev.zarrreactive.error.MetadataException if the document breaks a rule
   * @throws UnsupportedFeatureException if Zarr v3 cannot describe the array
   */
  public ArrayMetadata array(Bytes document, NodePath path, String scalarKey) {
    LocatedJson json = parse(document, path, layout.arrayDocument(path));
    limits.checkRank(json);
    return ArrayMetadata.readDraft2022(json, this, scalarKey.equals("c"));
  }

  /** Reads the document of a group, like {@link #array}. */
  public GroupMetadata group(Bytes document, NodePath path) {
    return GroupMetadata.readDraft2022(parse(document, path, layout.groupDocument(path)), this);
  }

  private LocatedJson parse(Bytes document, NodePath path, StoreKey key) {
    return JsonDocument.parse(
        document.asByteBuffer(), Location.ofNode(path.value()).key(key.value()), limits.elements());
  }

  /** Returns a group without a document, which nodes below it imply. */
  public GroupMetadata implicitGroup(NodePath path) {
    Location place = Location.ofNode(path.value()).key(layout.groupDocument(path).value());
    return GroupMetadata.implicit(
        new LocatedJson(JsonObject.EMPTY, place.pointer("")), Provenance.of2022(this, warnings));
  }
}
