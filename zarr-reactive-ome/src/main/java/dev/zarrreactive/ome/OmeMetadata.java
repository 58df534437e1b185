package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The attributes of one group by OME-Zarr: 0.5 and 0.6, whose members are in {@code ome}, and 0.4
 * and before, whose members are at the top. To make one reads nothing. Immutable.
 *
 * <p>Every broken rule is one of {@link #problems}. Attributes are read as far as they can be: a
 * channel that lacks a colour is white, the shapes of levels stand in for missing transforms, axes
 * of OME-Zarr 0.1 to 0.3 have the types of their names. Where a problem {@linkplain
 * OmeProblem#stopsReading stops reading}, to open the image, the plate or the well fails with it.
 */
public final class OmeMetadata {
  private static final Pattern READ = Pattern.compile("0\\.[1-6](rc[0-9]+|\\.dev[0-9]*)?");
  private static final Pattern NAMED_SYSTEMS = Pattern.compile("0\\.6(rc[0-9]+)?");
  private static final Pattern FIELD = Pattern.compile("[A-Za-z0-9]+");

  /** The names of images of a well since OME-Zarr 0.6. */
  private static final Pattern NODE = Pattern.compile("(?!__)(?!\\.+$)[A-Za-z0-9._-]+");

  private final Location location;
  private final String version;
  private final boolean isOme;
  private final List<OmeMultiscale> multiscales = new ArrayList<>();
  private final List<OmeChannel> channels;
  private final OptionalLong defaultPlane;
  private final OptionalLong defaultTime;
  private final List<String> labelPaths;
  private final Optional<OmeLabels> labels;
  private final Optional<OmePlateLayout> plate;
  private final OmeJson ome;
  private final boolean isScene;
  private final List<OmeSystem> sceneSystems;
  private final List<Field> fields;
  private final boolean isBioformats2raw;
  private final List<String> series;
  private final List<OmeProblem> problems = new ArrayList<>();

  /**
   * An image of a well.
   *
   * @param path the path of its group below the well
   * @param acquisition the acquisition of the plate that it belongs to
   */
  public record Field(String path, OptionalLong acquisition) {}

  private OmeMetadata(JsonObject attributes, String pointer, Location location) {
    this.location = location;
    OmeJson top = new OmeJson(attributes, pointer, problems);
    boolean isInside = attributes.get("ome") instanceof JsonObject;
    this.ome = isInside ? top.member("ome") : top;
    this.version = version(ome, isInside);
    boolean hasSystems = version.startsWith("0.6");
    OmeJson images = ome.member("multiscales");
    if (isInside || !(images.value() instanceof JsonObject)) { // else those of GeoZarr
      if (!images.isMissing()) {
        for (OmeJson image : images.unique("a list of multiscales", true)) {
          if (image.value() instanceof JsonObject) {
            multiscales.add(OmeMultiscale.of(image, hasSystems));
          } else {
            image.report("an object", true);
          }
        }
      }
    }
    this.channels = List.copyOf(OmeChannel.all(ome.member("omero")));
    OmeJson defaults = ome.member("omero").member("rdefs");
    this.defaultPlane = defaults.member("defaultZ").integer(0, false);
    this.defaultTime = defaults.member("defaultT").integer(0, false);
    this.labelPaths = texts(ome.member("labels")).stream().distinct().toList(); // of ome-zarr-py
    this.labels = ome.member("image-label").map(OmeLabels::of);
    this.plate = ome.member("plate").map(OmePlateLayout::of);
    this.fields = fields(ome.member("well"), hasSystems);
    OmeJson scene = ome.member("scene");
    this.isScene = isInside && !scene.isMissing();
    this.sceneSystems = isScene ? OmeLinks.scene(scene) : List.of();
    OmeJson layout = ome.member("bioformats2raw.layout");
    this.isBioformats2raw = !layout.isMissing();
    if (isBioformats2raw && layout.integer(3, false).orElse(3) != 3) {
      layout.report("the layout 3", false);
    }
    this.series = texts(ome.member("series"));
    this.isOme =
        isInside
            || !multiscales.isEmpty()
            || labels.isPresent()
            || plate.isPresent()
            || isScene
            || !ome.member("well").isMissing()
            || isBioformats2raw;
  }

  /** Reads the attributes of a group. The pointers of problems are those of its document. */
  public static OmeMetadata of(ZarrGroup group) {
    return new OmeMetadata(
        group.attributes(),
        group.metadata().zarrFormat() == 2 ? "" : "/attributes",
        Location.ofNode(group.path().value()));
  }

  /** Reads attributes. The pointers of problems begin in them. */
  public static OmeMetadata of(JsonObject attributes) {
    return new OmeMetadata(attributes, "", Location.UNKNOWN);
  }

  /** Returns the version of 0.5 and later, which is one for all; of 0.4, the first that is told. */
  private static String version(OmeJson ome, boolean isInside) {
    if (isInside) {
      OmeJson version = ome.member("version");
      if (!version.text().equals("0.5") && !NAMED_SYSTEMS.matcher(version.text()).matches()) {
        version.report("the version 0.5 or 0.6", false);
      }
      return version.text();
    }
    String first = "";
    List<OmeJson> owners = new ArrayList<>(ome.member("multiscales").elements());
    owners.add(ome.member("plate"));
    owners.add(ome.member("well"));
    owners.add(ome.member("image-label"));
    for (OmeJson owner : owners) {
      OmeJson version = owner.member("version");
      if (!version.isMissing()) {
        first = first.isEmpty() ? version.text() : first;
        if (!version.text().equals("0.4")) {
          version.report("the version 0.4", false);
        }
      }
    }
    return first;
  }

  private static List<String> texts(OmeJson list) {
    List<String> texts = new ArrayList<>();
    for (OmeJson each : list.elements()) {
      texts.add(each.text("the path of an image", false));
      OmeMultiscale.checkPath(each, each.text());
    }
    texts.removeIf(String::isEmpty);
    return List.copyOf(texts);
  }

  private static List<Field> fields(OmeJson well, boolean areNodes) {
    List<Field> fields = new ArrayList<>();
    if (!well.isMissing()) {
      for (OmeJson each : well.member("images").unique("a list of images", true)) {
        OmeJson path = each.member("path");
        String text = path.text("the path of an image", true);
        OmeMultiscale.checkPath(path, text);
        if (!(areNodes ? NODE : FIELD).matcher(text).matches()) {
          path.report(
              areNodes ? "a node name of letters, digits, -, _ and ." : "letters and digits",
              false);
        }
        fields.add(new Field(text, each.member("acquisition").integer(Long.MIN_VALUE, false)));
      }
    }
    return List.copyOf(fields);
  }

  /** Returns true if the attributes are of OME-Zarr. */
  public boolean isOme() {
    return isOme;
  }

  /** The version, such as {@code 0.5}; empty if the attributes say none. */
  public String version() {
    return version;
  }

  /** The images of this group, which is one or none but for rare ones. */
  public List<OmeMultiscale> multiscales() {
    return List.copyOf(multiscales);
  }

  /** How the channels are drawn, in their order; empty if the attributes say nothing. */
  public List<OmeChannel> channels() {
    return channels;
  }

  /** The index along {@code z} that is drawn first. */
  public OptionalLong defaultPlane() {
    return defaultPlane;
  }

  /** The index along {@code t} that is drawn first. */
  public OptionalLong defaultTime() {
    return defaultTime;
  }

  /** The paths of label images below this group, if it is the {@code labels} of an image. */
  public List<String> labelPaths() {
    return labelPaths;
  }

  /** The labels, if this is a label image that says something of them. */
  public Optional<OmeLabels> labels() {
    return labels;
  }

  /** The plate, if this is one. */
  public Optional<OmePlateLayout> plate() {
    return plate;
  }

  /**
   * Returns true if this is a scene: a group that tells how the systems of coordinates of the
   * images below it lie to each other (OME-Zarr 0.6). {@link OmeCoordinates} reads it.
   */
  public boolean isScene() {
    return isScene;
  }

  /** The systems that a scene names itself. */
  List<OmeSystem> sceneSystems() {
    return sceneSystems;
  }

  /** Returns the members, with another list for what is wrong with them. */
  OmeJson members(List<OmeProblem> found) {
    return new OmeJson(ome.value(), ome.pointer(), found);
  }

  /** Returns the error of a place in the attributes. */
  MetadataException refused(OmeProblem problem) {
    return new MetadataException(
        "expected " + problem.expected() + ", found " + problem.found() + versionHelp(),
        location.pointer(problem.pointer()));
  }

  /** The images of a well, if this is one. */
  public List<Field> fields() {
    return fields;
  }

  /** Returns true if this group has a series of images in the layout of bioformats2raw. */
  public boolean isBioformats2raw() {
    return isBioformats2raw;
  }

  /** The paths of the images of a series, if this is the group {@code OME} beside them. */
  public List<String> series() {
    return series;
  }

  /** The broken rules, in the order of the rules; none for attributes that follow them all. */
  public List<OmeProblem> problems() {
    return List.copyOf(problems);
  }

  /** Throws the first problem that stops reading. */
  void checkReadable() {
    for (OmeProblem problem : problems) {
      if (problem.stopsReading()) {
        throw refused(problem);
      }
    }
  }

  private String versionHelp() {
    return version.isEmpty() || READ.matcher(version).matches()
        ? ""
        : "; the version is " + version + ", and 0.1 to 0.6 are read";
  }

  /** Returns an error at this group. */
  MetadataException refused(String message) {
    return new MetadataException(message, location);
  }
}
