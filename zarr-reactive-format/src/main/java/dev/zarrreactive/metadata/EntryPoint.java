package dev.zarrreactive.metadata;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.metadata.TranslatedHierarchy;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.metadata.StoredMetadata.Provenance;
import dev.zarrreactive.spi.Spi;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code zarr.json} at the root of a hierarchy whose documents and chunks have other keys than
 * in Zarr v3, as in the draft of 2022. Immutable.
 */
@Spi
public final class EntryPoint {
  private static final Draft DRAFT = Draft.OF_2022;

  private final TranslatedHierarchy hierarchy;
  private final Drafts drafts;
  private final MetadataLimits limits;
  private final List<MetadataWarning> warnings;

  private EntryPoint(LocatedJson document, Drafts drafts, MetadataLimits limits) {
    this.drafts = drafts;
    this.limits = limits;
    Leniencies leniencies = leniencies();
    hierarchy = Drafts.translator().hierarchy(document, leniencies);
    warnings = leniencies.warnings();
  }

  /** Returns true if a {@code zarr.json} is an entry point. */
  static boolean is(LocatedJson document) {
    return Drafts.translator().isEntryPoint(document);
  }

  /** Reads an entry point; the limits are those of all documents of the hierarchy. */
  static EntryPoint read(LocatedJson document, Drafts drafts, MetadataLimits limits) {
    return new EntryPoint(document, drafts, limits);
  }

  private Leniencies leniencies() {
    return new Leniencies(DRAFT, drafts);
  }

  /** Returns the key of an array's document. If it exists, the node is an array. */
  public StoreKey arrayDocument(NodePath path) {
    return hierarchy.arrayDocument(path.value());
  }

  /** Returns the key of a group's document. */
  public StoreKey groupDocument(NodePath path) {
    return hierarchy.groupDocument(path.value());
  }

  /** Returns the prefix of the documents below a group. */
  public StorePrefix documentsBelow(NodePath group) {
    return hierarchy.documentsBelow(group.value());
  }

  /** Returns the name of the array whose document has this last part; empty for other keys. */
  public String arrayName(String lastPart) {
    return hierarchy.arrayName(lastPart);
  }

  /** Returns the name of the group whose document has this last part; empty for other keys. */
  public String groupName(String lastPart) {
    return hierarchy.groupName(lastPart);
  }

  /**
   * Returns the key that the only chunk of an array without dimensions has where another program
   * wrote it; null if all programs agree.
   */
  public @Nullable StoreKey otherScalar(NodePath array) {
    return hierarchy.otherScalar(array.value());
  }

  TranslatedHierarchy hierarchy() {
    return hierarchy;
  }

  /**
   * Reads the document of an array.
   *
   * @param document the stored bytes
   * @param path the node's path
   * @param otherScalar true if its chunk has the key {@link #otherScalar}
   * @throws dev.zarrreactive.error.MetadataException if the document breaks a rule
   * @throws dev.zarrreactive.error.UnsupportedFeatureException if Zarr v3 cannot describe the array
   */
  public ArrayMetadata array(Bytes document, NodePath path, boolean otherScalar) {
    LocatedJson json = parse(document, path, arrayDocument(path));
    limits.checkRank(json);
    Leniencies leniencies = leniencies();
    return ArrayMetadata.translated(
        3, hierarchy.array(json, otherScalar, leniencies), provenance(leniencies));
  }

  /** Reads the document of a group, like {@link #array}. */
  public GroupMetadata group(Bytes document, NodePath path) {
    LocatedJson json = parse(document, path, groupDocument(path));
    Leniencies leniencies = leniencies();
    return GroupMetadata.translated(
        json, hierarchy.group(json, leniencies), provenance(leniencies));
  }

  private LocatedJson parse(Bytes document, NodePath path, StoreKey key) {
    return JsonDocument.parse(
        document.asByteBuffer(), Location.ofNode(path.value()).key(key.value()), limits.elements());
  }

  /** Returns a group without a document, which nodes below it imply. */
  public GroupMetadata implicitGroup(NodePath path) {
    Location place = Location.ofNode(path.value()).key(groupDocument(path).value());
    return GroupMetadata.translated(
        new LocatedJson(JsonObject.EMPTY, place.pointer("")),
        JsonObject.EMPTY,
        new Provenance(DRAFT, this, warnings));
  }

  /** Returns the provenance of a node, with the warnings of the hierarchy and of the node. */
  private Provenance provenance(Leniencies ofNode) {
    List<MetadataWarning> all = new ArrayList<>(warnings);
    all.addAll(ofNode.warnings());
    return new Provenance(DRAFT, this, List.copyOf(all));
  }
}
