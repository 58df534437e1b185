package dev.zarrreactive.convention;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The conventions of attributes: which are declared, which rules are broken, and how attributes
 * declare them. Nothing is read. Reading is lenient elsewhere: attributes count without being
 * declared.
 */
public final class ZarrConventions {
  private static final String LIST = "zarr_conventions";
  private static final List<String> IDENTITIES = List.of("uuid", "schema_url", "spec_url");
  private static final Pattern CODE = Pattern.compile("[A-Z][A-Z0-9_]*:[0-9A-Za-z.]+");

  private ZarrConventions() {}

  /** Returns the conventions that attributes declare, in their order. */
  public static List<DeclaredConvention> declared(JsonObject attributes) {
    List<DeclaredConvention> declared = new ArrayList<>();
    for (ConventionPlace each :
        new ConventionPlace(attributes, "", List.of()).member(LIST).elements()) {
      String uuid = each.member("uuid").text();
      String schema = each.member("schema_url").text();
      String spec = each.member("spec_url").text();
      if (each.isObject() && !(uuid + schema + spec).isEmpty()) {
        declared.add(
            new DeclaredConvention(
                uuid,
                each.member("name").text(),
                schema,
                spec,
                ZarrConvention.find(uuid, schema, spec)));
      }
    }
    return declared;
  }

  /** Returns the attributes with the conventions in their list; those that are there stay. */
  public static JsonObject declare(JsonObject attributes, ZarrConvention... conventions) {
    List<JsonValue> list = new ArrayList<>();
    if (attributes.get(LIST) instanceof JsonArray before) {
      list.addAll(before.elements());
    }
    Set<ZarrConvention> known = known(attributes);
    for (ZarrConvention convention : conventions) {
      if (known.add(convention)) {
        list.add(convention.declaration());
      }
    }
    return attributes.with(LIST, new JsonArray(list));
  }

  private static Set<ZarrConvention> known(JsonObject attributes) {
    Set<ZarrConvention> known = EnumSet.noneOf(ZarrConvention.class);
    declared(attributes).forEach(each -> each.known().ifPresent(known::add));
    return known;
  }

  /**
   * Returns the broken rules of the conventions that the attributes of a node declare or use, and
   * conventions that they use and do not declare.
   */
  public static List<ConventionProblem> problems(ZarrNode node) {
    List<String> dimensions =
        node.metadata() instanceof ArrayMetadata array
            ? array.dimensionNames().stream().filter(Objects::nonNull).map(String::valueOf).toList()
            : List.of();
    return problems(node.attributes(), node instanceof ZarrGroup, dimensions);
  }

  static List<ConventionProblem> problems(
      JsonObject attributes, boolean isGroup, List<String> dimensions) {
    List<ConventionProblem> problems = new ArrayList<>();
    ConventionPlace top = new ConventionPlace(attributes, "", problems);
    ConventionPlace list = top.member(LIST);
    list.checkIfPresent("a list of conventions", place -> place.value() instanceof JsonArray);
    for (ConventionPlace each : list.elements()) {
      each.check(
          "an object with a uuid, a schema_url or a spec_url",
          place -> IDENTITIES.stream().anyMatch(name -> !place.member(name).text().isEmpty()));
    }
    Set<ZarrConvention> declared = known(attributes);
    for (ZarrConvention convention : ZarrConvention.values()) {
      boolean isUsed = convention.isUsedIn(attributes);
      boolean isOwn =
          convention.attribute().endsWith(":")
              || (convention == ZarrConvention.MULTISCALES
                  && top.member("multiscales").member("layout").value() != null);
      if (isUsed && isOwn && !declared.contains(convention)) {
        list.report("the convention " + convention.attribute() + ", whose attributes are used");
      }
      if (declared.contains(convention) || (isUsed && isOwn)) {
        check(convention, top, isGroup, dimensions);
      }
    }
    return problems;
  }

  private static void check(
      ZarrConvention convention, ConventionPlace top, boolean isGroup, List<String> dimensions) {
    switch (convention) {
      case PROJ -> proj(top, true);
      case SPATIAL -> {
        spatial(top);
        ConventionPlace names = top.member("spatial:dimensions");
        if (!isGroup) {
          names.check("two names of dimensions", ConventionPlace::isTwoTexts);
          for (ConventionPlace name : names.elements()) {
            if (name.isText() && !dimensions.contains(name.text())) {
              name.report("one of the dimensions " + dimensions);
            }
          }
        }
      }
      case MULTISCALES -> multiscales(top.member("multiscales"), isGroup);
      case UOM -> {
        ConventionPlace ucum = top.member("uom").member("ucum");
        ucum.check("an object", ConventionPlace::isObject);
        ucum.member("unit").checkIfPresent("a unit of UCUM as text", ConventionPlace::isText);
        ucum.member("version").checkIfPresent("a version as text", ConventionPlace::isText);
      }
      case LICENSE -> license(top.member("license"));
      case STAC -> stac(top, isGroup);
    }
  }

  private static void proj(ConventionPlace owner, boolean isNeeded) {
    ConventionPlace code = owner.member("proj:code");
    ConventionPlace wkt = owner.member("proj:wkt2");
    ConventionPlace json = owner.member("proj:projjson");
    if (isNeeded && code.isMissing() && wkt.isMissing() && json.isMissing()) {
      code.report("one of proj:code, proj:wkt2 and proj:projjson");
    }
    code.checkIfPresent(
        "an authority and a code, such as EPSG:4326", p -> CODE.matcher(p.text()).matches());
    wkt.checkIfPresent("well-known text", p -> p.text().indexOf('[') > 0);
    json.checkIfPresent("an object of PROJJSON", p -> p.member("type").isText());
  }

  private static void spatial(ConventionPlace owner) {
    owner
        .member("spatial:dimensions")
        .checkIfPresent("two names of dimensions", ConventionPlace::isTwoTexts);
    owner
        .member("spatial:bbox")
        .checkIfPresent(
            "the least x and y, and then the greatest",
            p -> p.isNumbers(4) && p.number(0) <= p.number(2) && p.number(1) <= p.number(3));
    ConventionPlace type = owner.member("spatial:transform_type");
    type.checkIfPresent("a type as text", ConventionPlace::isText);
    if (type.isMissing() || type.text().equals("affine")) {
      owner.member("spatial:transform").checkIfPresent("six numbers", p -> p.isNumbers(6));
    }
    owner
        .member("spatial:shape")
        .checkIfPresent(
            "the numbers of rows and columns",
            p ->
                p.isNumbers(2)
                    && p.number(0) >= 1
                    && p.number(1) >= 1
                    && p.number(0) == Math.rint(p.number(0))
                    && p.number(1) == Math.rint(p.number(1)));
    owner
        .member("spatial:registration")
        .checkIfPresent("node or pixel", p -> Set.of("node", "pixel").contains(p.text()));
  }

  private static void multiscales(ConventionPlace multiscales, boolean isGroup) {
    if (!isGroup) {
      multiscales.report("a group: levels are below one");
    }
    ConventionPlace layout = multiscales.member("layout");
    layout.check("a list of levels", p -> !p.elements().isEmpty());
    for (ConventionPlace level : layout.elements()) {
      level.member("asset").check("the path of a level", ZarrConventions::isPath);
      ConventionPlace source = level.member("derived_from");
      source.checkIfPresent("the path of a level", ZarrConventions::isPath);
      ConventionPlace transform = level.member("transform");
      if (!source.isMissing()) {
        transform.check("an object", ConventionPlace::isObject);
      }
      transform.member("scale").checkIfPresent("a list of numbers", p -> p.isNumbers(0));
      transform.member("translation").checkIfPresent("a list of numbers", p -> p.isNumbers(0));
      spatial(level);
      proj(level, false);
    }
  }

  private static boolean isPath(ConventionPlace place) {
    String text = place.text();
    return !text.isEmpty() && !text.startsWith("/") && !List.of(text.split("/", -1)).contains("..");
  }

  private static void license(ConventionPlace license) {
    license.check("an object", ConventionPlace::isObject);
    List<ConventionPlace> forms =
        List.of("spdx", "url", "text", "file", "path").stream().map(license::member).toList();
    if (license.isObject() && forms.stream().allMatch(ConventionPlace::isMissing)) {
      license.report("one of spdx, url, text, file and path");
    }
    forms.forEach(form -> form.checkIfPresent("a text", ConventionPlace::isText));
  }

  private static void stac(ConventionPlace top, boolean isGroup) {
    ConventionPlace encoding = top.member("stac:encoding");
    if (!isGroup) {
      encoding.report("a group: arrays have no metadata of STAC");
    }
    encoding.checkIfPresent(
        "attribute, key, link or array",
        p -> Set.of("attribute", "key", "link", "array").contains(p.text()));
    List<ConventionPlace> forms =
        List.of("stac:item", "stac:collection", "stac:key", "stac:link").stream()
            .map(top::member)
            .toList();
    if (forms.stream().filter(form -> !form.isMissing()).count() != 1) {
      forms.get(0).report("one of stac:item, stac:collection, stac:key and stac:link");
    }
    object(forms.get(0), encoding.text(), "Feature");
    object(forms.get(1), encoding.text(), "Collection");
    forms.get(2).checkIfPresent("the key of a document", ZarrConventions::isPath);
    forms
        .get(3)
        .member("href")
        .check("an absolute URL", p -> forms.get(3).isMissing() || isAbsolute(p));
  }

  private static void object(ConventionPlace object, String encoding, String type) {
    if (object.isMissing()) {
      return;
    }
    switch (encoding) {
      case "", "attribute", "key" -> {
        object.member("type").check("the type " + type, p -> p.text().equals(type));
        object.member("id").check("an id", p -> !p.text().isEmpty());
        if (object.member("assets").value() instanceof JsonObject assets) {
          for (String name : assets.members().keySet()) {
            object
                .member("assets")
                .member(name)
                .member("href")
                .check("a path below the group", ZarrConventions::isPath);
          }
        }
      }
      case "link" -> object.member("href").check("an absolute URL", ZarrConventions::isAbsolute);
      case "array" -> object.check("the path of an array", ZarrConventions::isPath);
      default -> {
        // the encoding is reported
      }
    }
  }

  private static boolean isAbsolute(ConventionPlace place) {
    try {
      return URI.create(place.text()).isAbsolute();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Returns the licence that attributes tell: an SPDX expression, else a URL; empty without. */
  public static Optional<String> license(JsonObject attributes) {
    return attributes.get("license") instanceof JsonObject license
        ? text(license, "spdx").or(() -> text(license, "url"))
        : Optional.empty();
  }

  /** Returns the unit that attributes tell by the convention {@code uom}, of UCUM. */
  public static Optional<String> unit(JsonObject attributes) {
    return attributes.get("uom") instanceof JsonObject uom
            && uom.get("ucum") instanceof JsonObject ucum
        ? text(ucum, "unit")
        : Optional.empty();
  }

  private static Optional<String> text(JsonObject object, String name) {
    return object.get(name) instanceof JsonString text
        ? Optional.of(text.value())
        : Optional.empty();
  }
}
