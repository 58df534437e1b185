package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The systems of coordinates of an image or of a scene, and the transformations between them
 * (OME-Zarr 0.6, "coordinateSystems", "coordinateTransformations", "scene"). A point or a box of
 * one system is carried to another one along the transformations, also backwards where they have an
 * inverse.
 *
 * <p>The indices of each level are a system of their own. The coordinates of an image of OME-Zarr
 * 0.5 and before are one system with the name {@code physical}. Immutable and thread-safe.
 */
public final class OmeCoordinates {
  /** The name of the system of an image that names none. */
  private static final String USUAL = "physical";

  /** The groups that are opened at the same time. */
  private static final int CONCURRENCY = 8;

  /** The most groups that transformations may refer to. */
  private static final int MOST_GROUPS = 10_000;

  private final ZarrGroup group;
  private final List<OmeSystem> systems;
  private final List<Link> links;
  private final List<OmeGap> gaps;

  /** A transformation, or what is wrong with it; steps are of the group at a path. */
  private record Link(
      OmeLinks.Reference from,
      OmeLinks.Reference to,
      String name,
      String path,
      @Nullable OmeStep step,
      @Nullable RuntimeException error) {}

  /** A link, and its direction. */
  private record Hop(Link link, boolean isBackwards) {
    OmeLinks.Reference end() {
      return isBackwards ? link.from : link.to;
    }
  }

  private OmeCoordinates(
      ZarrGroup group, List<OmeSystem> systems, List<Link> links, List<OmeGap> gaps) {
    this.group = group;
    this.systems = List.copyOf(systems);
    this.links = List.copyOf(links);
    this.gaps = List.copyOf(gaps);
  }

  /**
   * Reads the systems of a group that is an image or a scene, and those of the groups that its
   * transformations name. A group that is missing or broken is one of {@link #gaps}. {@link
   * dev.zarrreactive.error.MetadataException} if the group is neither an image nor a scene, or if a
   * problem of its attributes {@linkplain OmeProblem#stopsReading stops reading}; a broken
   * transformation is an error of the {@link #mapping} that needs it.
   */
  public static Mono<OmeCoordinates> of(ZarrGroup group) {
    return Mono.defer(
        () -> {
          OmeMetadata metadata = OmeMetadata.of(group);
          metadata.checkReadable();
          if (metadata.multiscales().isEmpty() && !metadata.isScene()) {
            throw metadata.refused(
                "the group has no coordinates: its attributes lack multiscales and a scene");
          }
          Map<String, OmeMetadata> read = new LinkedHashMap<>();
          read.put("", metadata);
          return all(group, read, List.of());
        });
  }

  /** Opens the groups that are named and not yet read, and then those that these name. */
  private static Mono<OmeCoordinates> all(
      ZarrGroup group, Map<String, OmeMetadata> read, List<OmeGap> gaps) {
    Set<String> named = new LinkedHashSet<>();
    read.forEach((path, metadata) -> named.addAll(named(path, metadata)));
    named.removeAll(read.keySet());
    gaps.forEach(gap -> named.remove(group.path().relativize(gap.path())));
    if (named.isEmpty()) {
      return Mono.fromSupplier(() -> built(group, read, gaps));
    }
    if (read.size() + named.size() > MOST_GROUPS) {
      throw OmeMetadata.of(group)
          .refused("the transformations name more than " + MOST_GROUPS + " groups");
    }
    return Concurrently.mapInOrder(
            Flux.fromIterable(named),
            CONCURRENCY,
            path ->
                group
                    .openGroup(path)
                    .map(
                        opened -> {
                          OmeMetadata metadata = OmeMetadata.of(opened);
                          metadata.checkReadable();
                          return Map.<String, Object>of(path, metadata);
                        })
                    .onErrorResume(
                        OmeGap.resume(
                            group.path().resolve(path),
                            gap ->
                                Mono.just(
                                    Map.of(
                                        path,
                                        new OmeGap(group.path().resolve(path), gap.error()))))))
        .collectList()
        .flatMap(
            opened -> {
              Map<String, OmeMetadata> more = new LinkedHashMap<>(read);
              List<OmeGap> without = new ArrayList<>(gaps);
              for (Map<String, Object> each : opened) {
                each.forEach(
                    (path, found) -> {
                      if (found instanceof OmeMetadata metadata) {
                        more.put(path, metadata);
                      } else {
                        without.add((OmeGap) found);
                      }
                    });
              }
              return all(group, more, without);
            });
  }

  /** Returns the paths of the other groups that the transformations of a group name. */
  private static Set<String> named(String path, OmeMetadata metadata) {
    Set<String> paths = new LinkedHashSet<>();
    for (OmeJson transform : transforms(metadata)) {
      for (String end : List.of("input", "output")) {
        String below = OmeLinks.reference(transform.member(end), known(metadata)).path();
        if (!below.isEmpty()) {
          paths.add(joined(path, below));
        }
      }
    }
    return paths;
  }

  private static String joined(String path, String below) {
    return path.isEmpty() ? below : below.isEmpty() ? path : path + "/" + below;
  }

  /** Returns the transformations between named systems; those of levels are not among them. */
  private static List<OmeJson> transforms(OmeMetadata metadata) {
    List<OmeJson> transforms = new ArrayList<>();
    List<OmeJson> owners = new ArrayList<>();
    OmeJson members = metadata.members(new ArrayList<>());
    if (metadata.isScene()) {
      owners.add(members.member("scene"));
    }
    List<OmeJson> images = members.member("multiscales").elements();
    for (int i = 0; i < images.size() && i < metadata.multiscales().size(); i++) {
      if (!metadata.multiscales().get(i).systems().isEmpty()) {
        owners.add(images.get(i));
      }
    }
    owners.forEach(
        owner -> transforms.addAll(owner.member("coordinateTransformations").elements()));
    return transforms;
  }

  private static List<OmeSystem> known(OmeMetadata metadata) {
    List<OmeSystem> systems = new ArrayList<>(metadata.sceneSystems());
    metadata.multiscales().forEach(image -> systems.addAll(image.systems()));
    return systems;
  }

  private static OmeCoordinates built(
      ZarrGroup group, Map<String, OmeMetadata> read, List<OmeGap> gaps) {
    Map<OmeLinks.Reference, OmeSystem> systems = new LinkedHashMap<>();
    List<Link> links = new ArrayList<>();
    read.forEach(
        (path, metadata) -> {
          for (OmeSystem system : metadata.sceneSystems()) {
            add(systems, new OmeSystem(path, system.name(), system.axes()));
          }
          for (OmeMultiscale image : metadata.multiscales()) {
            addImage(path, image, systems, links);
          }
        });
    read.forEach(
        (path, metadata) -> {
          for (OmeJson json : transforms(metadata)) {
            links.add(link(path, metadata, json, systems, group, gaps));
          }
        });
    return new OmeCoordinates(group, List.copyOf(systems.values()), links, gaps);
  }

  private static void add(Map<OmeLinks.Reference, OmeSystem> systems, OmeSystem system) {
    systems.putIfAbsent(new OmeLinks.Reference(system.path(), system.name()), system);
  }

  private static void addImage(
      String path,
      OmeMultiscale image,
      Map<OmeLinks.Reference, OmeSystem> systems,
      List<Link> links) {
    for (OmeSystem system : image.systems()) {
      add(systems, new OmeSystem(path, system.name(), system.axes()));
    }
    String name = image.systems().isEmpty() ? USUAL : image.systems().get(0).name();
    add(systems, new OmeSystem(path, name, image.axes()));
    for (OmeMultiscale.Dataset level : image.datasets()) {
      String array = joined(path, TransformReader.below(level.path()));
      add(systems, new OmeSystem(array, "", image.axes()));
      if (level.transform().isPresent()) {
        OmeTransform transform = level.transform().get();
        boolean isFinite =
            transform.scale().stream().allMatch(Double::isFinite)
                && transform.translation().stream().allMatch(Double::isFinite);
        if (isFinite) {
          links.add(
              new Link(
                  new OmeLinks.Reference(array, ""),
                  new OmeLinks.Reference(path, name),
                  "the level " + array,
                  path,
                  new OmeLevelStep(transform, false),
                  null));
        }
      }
    }
  }

  private static Link link(
      String path,
      OmeMetadata metadata,
      OmeJson json,
      Map<OmeLinks.Reference, OmeSystem> systems,
      ZarrGroup group,
      List<OmeGap> gaps) {
    List<OmeProblem> problems = new ArrayList<>();
    OmeLinks.Reference from = absolute(path, metadata, json.member("input"));
    OmeLinks.Reference to = absolute(path, metadata, json.member("output"));
    OmeSystem first = systems.get(from);
    OmeSystem last = systems.get(to);
    OmeStep step = null;
    RuntimeException error = null;
    if (first == null || last == null) {
      OmeLinks.Reference lost = first == null ? from : to;
      for (OmeGap gap : gaps) {
        if (gap.path().equals(group.path().resolve(lost.path()))) {
          error = gap.error();
        }
      }
      if (error == null) {
        OmeJson end = json.member(first == null ? "input" : "output");
        end.report("one of the systems " + systems.values(), false);
        error = metadata.refused(end.problems().get(end.problems().size() - 1));
      }
    } else {
      step =
          TransformReader.read(
              new OmeJson(json.value(), json.pointer(), problems),
              first.axes().size(),
              last.axes().size());
      if (step == null) {
        error =
            problems.isEmpty()
                ? metadata.refused("a transformation has no known number of axes")
                : metadata.refused(problems.get(problems.size() - 1));
      }
    }
    String name = json.member("name").text();
    String type = json.member("type").text();
    return new Link(
        from,
        to,
        (name.isEmpty() ? "" : name + ", ") + type + " at " + json.pointer(),
        path,
        step,
        error);
  }

  private static OmeLinks.Reference absolute(String path, OmeMetadata metadata, OmeJson end) {
    OmeLinks.Reference reference = OmeLinks.reference(end, known(metadata));
    return new OmeLinks.Reference(joined(path, reference.path()), reference.name());
  }

  /** The group that was opened. */
  public ZarrGroup group() {
    return group;
  }

  /**
   * The systems: those of the group, those of its levels, and those of the groups that its
   * transformations name.
   */
  public List<OmeSystem> systems() {
    return systems;
  }

  /** The groups that transformations name and that cannot be opened. */
  public List<OmeGap> gaps() {
    return gaps;
  }

  /**
   * Returns the system of a name: that of the group itself, or the only one of the name below it.
   *
   * @throws NoSuchElementException if there is none or if there are several; the message lists all
   */
  public OmeSystem system(String name) {
    List<OmeSystem> found =
        systems.stream().filter(system -> !name.isEmpty() && system.name().equals(name)).toList();
    Optional<OmeSystem> own = found.stream().filter(s -> s.path().isEmpty()).findFirst();
    if (own.isEmpty() && found.size() != 1) {
      throw unknown(name);
    }
    return own.orElseGet(() -> found.get(0));
  }

  /**
   * Returns the system of a group, or that of the indices of an array.
   *
   * @param path the path below the group that was opened; empty for that one
   * @param name the name; empty for the indices of the array at the path
   * @throws NoSuchElementException if there is none; the message lists all
   */
  public OmeSystem system(String path, String name) {
    String below = TransformReader.below(path);
    return systems.stream()
        .filter(system -> system.isAt(below, name))
        .findFirst()
        .orElseThrow(() -> unknown(path + " " + name));
  }

  private NoSuchElementException unknown(String name) {
    return new NoSuchElementException(
        "the systems of coordinates are " + systems + ", and none or several are " + name);
  }

  /**
   * Returns the function from one system to another, along the fewest transformations that can be
   * applied, and reads the arrays that have their matrices. {@link
   * dev.zarrreactive.error.MetadataException} for a broken transformation, and {@link
   * UnsupportedFeatureException} if the systems are not connected, or only through the inverse of a
   * transformation that has none; both name it.
   *
   * @throws NoSuchElementException for a system that is none of {@link #systems}
   */
  public Mono<OmeMapping> mapping(OmeSystem from, OmeSystem to) {
    OmeSystem first = system(from.path(), from.name());
    OmeSystem last = system(to.path(), to.name());
    return Mono.defer(
        () -> {
          List<Hop> hops = hops(first, last, false);
          if (hops == null) {
            throw unreachable(first, last);
          }
          return Flux.fromIterable(hops)
              .concatMap(this::loaded)
              .collectList()
              .map(
                  steps ->
                      new OmeMapping(
                          first,
                          last,
                          switch (steps.size()) {
                            case 0 -> new OmeIdentityStep(first.axes().size());
                            case 1 -> steps.get(0);
                            default -> new OmeSequenceStep(steps);
                          }));
        });
  }

  private Mono<OmeStep> loaded(Hop hop) {
    Link link = hop.link;
    OmeStep step = link.step;
    if (step == null) {
      throw link.error == null ? new IllegalStateException(link.name) : link.error;
    }
    Mono<ZarrGroup> owner = link.path.isEmpty() ? Mono.just(group) : group.openGroup(link.path);
    return owner
        .flatMap(step::load)
        .map(
            loaded -> {
              OmeStep applied = hop.isBackwards ? loaded.inverse() : loaded;
              if (applied == null) {
                throw withoutInverse(link);
              }
              return applied;
            });
  }

  private UnsupportedFeatureException unreachable(OmeSystem from, OmeSystem to) {
    List<Hop> hops = hops(from, to, true);
    if (hops != null) {
      for (Hop hop : hops) {
        if (hop.link.error != null) {
          throw hop.link.error;
        }
        if (hop.isBackwards && hop.link.step != null && !hop.link.step.isInvertible()) {
          return withoutInverse(hop.link);
        }
      }
    }
    return new UnsupportedFeatureException(
        "no transformation leads from the system " + from + " to the system " + to, location());
  }

  private UnsupportedFeatureException withoutInverse(Link link) {
    return new UnsupportedFeatureException(
        "the transformation (" + link.name + ") has no inverse; a bijection would store one",
        location());
  }

  private Location location() {
    return Location.ofNode(group.path().value());
  }

  /** Returns the fewest hops between systems; null without. */
  private @Nullable List<Hop> hops(OmeSystem from, OmeSystem to, boolean areAllAllowed) {
    OmeLinks.Reference start = new OmeLinks.Reference(from.path(), from.name());
    OmeLinks.Reference end = new OmeLinks.Reference(to.path(), to.name());
    Map<OmeLinks.Reference, List<Hop>> byStart = new HashMap<>();
    for (Link link : links) {
      boolean isBroken = link.step == null;
      if (areAllAllowed || !isBroken) {
        byStart.computeIfAbsent(link.from, key -> new ArrayList<>()).add(new Hop(link, false));
      }
      if (areAllAllowed || (link.step != null && link.step.isInvertible())) {
        byStart.computeIfAbsent(link.to, key -> new ArrayList<>()).add(new Hop(link, true));
      }
    }
    Map<OmeLinks.Reference, Hop> arrivals = new HashMap<>();
    ArrayDeque<OmeLinks.Reference> next = new ArrayDeque<>();
    next.add(start);
    while (!next.isEmpty() && !arrivals.containsKey(end) && !start.equals(end)) {
      for (Hop hop : byStart.getOrDefault(next.remove(), List.of())) {
        if (!hop.end().equals(start) && arrivals.putIfAbsent(hop.end(), hop) == null) {
          next.add(hop.end());
        }
      }
    }
    List<Hop> hops = new ArrayList<>();
    OmeLinks.Reference at = end;
    while (!at.equals(start)) {
      Hop hop = arrivals.get(at);
      if (hop == null) {
        return null;
      }
      hops.add(hop);
      at = hop.isBackwards ? hop.link.to : hop.link.from;
    }
    Collections.reverse(hops);
    return hops;
  }

  /**
   * Reads the elements of a level whose pixels meet a box of any system, and those between them:
   * the least range along each axis of the level. The coordinates of the tile are those of the
   * level. Errors are those of {@link #mapping}, {@link OmeMapping#box} and {@link OmeLevel#tile}.
   *
   * @param level a level of the image of this group
   * @throws NoSuchElementException for a system that is none of {@link #systems}, and for a level
   *     of another image
   */
  public Mono<OmeTile> tile(OmeLevel level, OmeSystem system, OmeBox box) {
    NodePath array = level.array().path();
    if (!group.path().contains(array)) {
      throw new NoSuchElementException("the level " + array + " is none below " + group.path());
    }
    OmeSystem indices = system(group.path().relativize(array), "");
    return mapping(system, indices)
        .flatMap(mapping -> mapping.box(box))
        .flatMap(found -> level.tile(region(level, found)));
  }

  private static OmeRegion region(OmeLevel level, OmeBox box) {
    OmeRegion region = OmeRegion.all();
    for (int d = 0; d < level.axes().size(); d++) {
      double extent = level.array().shape().extent(d);
      double from = Math.floor(box.from().get(d) + 0.5);
      double to = Math.max(from + 1, Math.ceil(box.to().get(d) + 0.5));
      if (!(to > 0 && from < extent)) {
        throw new IllegalArgumentException(
            "the box is outside of the image: it has the indices "
                + box.from().get(d)
                + " to "
                + box.to().get(d)
                + " of the axis "
                + level.axes().get(d).name()
                + ", which ends before "
                + (long) extent);
      }
      region =
          region.indices(
              level.axes().get(d).name(), (long) Math.max(0, from), (long) Math.min(extent, to));
    }
    return region;
  }
}
