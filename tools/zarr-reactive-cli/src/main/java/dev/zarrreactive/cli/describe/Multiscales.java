package dev.zarrreactive.cli.describe;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.convention.DeclaredConvention;
import dev.zarrreactive.convention.ZarrConventions;
import dev.zarrreactive.geo.AffineTransform;
import dev.zarrreactive.geo.GeoAttributes;
import dev.zarrreactive.geo.GeoLevel;
import dev.zarrreactive.ome.OmeAxis;
import dev.zarrreactive.ome.OmeChannel;
import dev.zarrreactive.ome.OmeLabels;
import dev.zarrreactive.ome.OmeMetadata;
import dev.zarrreactive.ome.OmeMultiscale;
import dev.zarrreactive.ome.OmePlateLayout;
import dev.zarrreactive.ome.OmeProblem;
import dev.zarrreactive.ome.OmeSystem;
import dev.zarrreactive.ome.OmeTransform;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The levels of resolution, channels, plates and places on the Earth that the attributes of a group
 * tell of, in lines for people: OME-Zarr and GeoZarr. Attributes of another form are left out.
 */
final class Multiscales {
  private static final int MOST_PROBLEMS = 5;

  private Multiscales() {}

  /** Adds the fields; a group of one resolution has none. */
  static void addTo(FieldTable fields, ZarrGroup group) {
    OmeMetadata ome = OmeMetadata.of(group);
    List<String> levels = levels(group);
    if (!levels.isEmpty()) {
      fields.field("multiscales", levels);
    }
    if (!ome.channels().isEmpty()) {
      fields.field("channels", ome.channels().stream().map(Multiscales::channel).toList());
    }
    ome.labels()
        .map(OmeLabels::colours)
        .ifPresent(colours -> fields.field("labels", "colours of " + colours.size()));
    ome.plate().map(Multiscales::plate).ifPresent(plate -> fields.field("plate", plate));
    if (!ome.fields().isEmpty()) {
      fields.field(
          "well", "images " + String.join(", ", ome.fields().stream().map(f -> f.path()).toList()));
    }
    if (ome.isScene()) {
      fields.field("scene", "images that lie in systems of coordinates");
    }
    if (ome.isBioformats2raw()) {
      fields.field("series", "images in the layout of bioformats2raw");
    }
    if (ome.isOme() && !ome.problems().isEmpty()) {
      fields.field("problems", problems(ome.problems()));
    }
    List<DeclaredConvention> declared = ZarrConventions.declared(group.attributes());
    if (!declared.isEmpty()) {
      fields.field(
          "conventions",
          declared.stream().map(DeclaredConvention::toString).collect(Collectors.joining(", ")));
    }
    String place = place(GeoAttributes.of(group.attributes()));
    if (!place.isEmpty()) {
      fields.field("place", place);
    }
  }

  /** Returns a line for each image and for each of its levels. */
  static List<String> levels(ZarrGroup group) {
    List<String> lines = new ArrayList<>();
    for (OmeMultiscale multiscale : OmeMetadata.of(group).multiscales()) {
      List<String> axes = multiscale.axes().stream().map(OmeAxis::name).toList();
      lines.add(
          "OME-Zarr"
              + (multiscale.name().isEmpty() ? "" : " " + multiscale.name())
              + ", "
              + count(multiscale.datasets().size())
              + (axes.isEmpty() ? "" : " of " + String.join(", ", axes)));
      for (OmeMultiscale.Dataset level : multiscale.datasets()) {
        String scale = level.transform().map(t -> ": " + scale(t, multiscale.axes())).orElse("");
        lines.add("  " + level.path() + scale);
      }
      if (multiscale.systems().size() > 1) {
        List<String> systems = multiscale.systems().stream().map(OmeSystem::name).toList();
        lines.add("  systems of coordinates: " + String.join(", ", systems));
      }
    }
    List<GeoLevel> geo = GeoLevel.of(group.attributes());
    if (!geo.isEmpty()) {
      lines.add(
          "GeoZarr, "
              + count(geo.size())
              + ": "
              + String.join(", ", geo.stream().map(GeoLevel::path).toList()));
    }
    return lines;
  }

  private static String scale(OmeTransform transform, List<OmeAxis> axes) {
    List<String> parts = new ArrayList<>();
    for (int d = 0; d < axes.size(); d++) {
      OmeAxis axis = axes.get(d);
      double from = transform.translation().get(d);
      parts.add(
          axis.name()
              + " "
              + number(transform.scale().get(d))
              + (axis.unit().isEmpty() ? "" : " " + axis.unit())
              + (from == 0 || !Double.isFinite(from) ? "" : " from " + number(from)));
    }
    return String.join(", ", parts);
  }

  private static String channel(OmeChannel channel) {
    return (channel.label().isEmpty() ? "" : channel.label() + " ")
        + String.format(Locale.ROOT, "#%06X", channel.colour())
        + channel.window().map(w -> " " + number(w.start()) + " to " + number(w.end())).orElse("")
        + (channel.active() ? "" : ", not active");
  }

  private static String plate(OmePlateLayout plate) {
    return (plate.name().isEmpty() ? "" : plate.name() + ", ")
        + plate.rows().size()
        + " x "
        + plate.columns().size()
        + ", wells with images: "
        + plate.wells().size();
  }

  private static List<String> problems(List<OmeProblem> problems) {
    List<String> lines =
        new ArrayList<>(problems.stream().limit(MOST_PROBLEMS).map(OmeProblem::toString).toList());
    if (problems.size() > MOST_PROBLEMS) {
      lines.add("and " + (problems.size() - MOST_PROBLEMS) + " more");
    }
    return lines;
  }

  private static String place(GeoAttributes geo) {
    List<String> parts = new ArrayList<>();
    geo.code().ifPresent(parts::add);
    Optional<AffineTransform.Bounds> box = geo.bounds();
    box.ifPresent(
        b ->
            parts.add(
                "from ["
                    + String.join(
                        ",", number(b.minX()), number(b.minY()), number(b.maxX()), number(b.maxY()))
                    + "]"));
    geo.transform()
        .ifPresent(
            t ->
                parts.add(
                    "pixels of "
                        + number(t.xPerColumn())
                        + " x "
                        + number(t.yPerRow())
                        + " at "
                        + number(t.x())
                        + ", "
                        + number(t.y())));
    return String.join(", ", parts);
  }

  /** Returns the shortest decimals: 1 and 0.5, neither 1.0 nor 5E-1. */
  private static String number(double value) {
    if (!Double.isFinite(value)) {
      return "unknown";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : BigDecimal.valueOf(value).toPlainString();
  }

  private static String count(int levels) {
    return levels == 1 ? "1 level" : levels + " levels";
  }
}
